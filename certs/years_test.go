package certs

import (
	"bytes"
	"crypto/x509"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// years simulates an authority and its clients over decades. The authority's keeper may die at
// any write and be down for weeks. Injectors and clients lag, and replicas may miss renewals.
// All state is text, as in a real cluster.
type years struct {
	t      *testing.T
	random *rand.Rand
	now    time.Time

	stored  map[string][]byte // the keyring's pieces
	serving map[string][]byte // tls.crt, tls.key, ca.crt
	request string

	objects  [][]byte  // caBundles
	clients  []client  // one of each object
	replicas []*Pair   // what is served
	stuck    time.Time // until then, nothing is injected into the last object
	since    time.Time // the time since which every object holds the bundle
	steps    map[Step]int
	crashes  int
	losses   int
	accepted map[meeting]bool
}

// meeting is a client's bundle and a replica's leaf. The client trusts the leaf for as long as
// it lives, or not at all.
type meeting struct{ bundle, leaf string }

// client uses a bundle that its object had at some time within the overlap.
type client struct {
	roots  *x509.CertPool
	of     []byte
	behind time.Time // the time since which the object has another bundle; zero if it has the same
}

// lag is the overlap in this world.
const lag = 10 * day

var errCrash = errors.New("crash")

// TestYears: no client ever rejects what a replica may serve, through all that happens in
// decades. With -short, which is for the race detector, it simulates fewer years, and not
// everything happens.
func TestYears(t *testing.T) {
	all := map[Step]int{}
	crashes, losses, years := 0, 0, time.Duration(12)
	if testing.Short() {
		years = 2
	}
	for seed := range uint64(3) {
		w := newYears(t, seed)
		end := w.now.Add(years * 365 * day)
		for w.now.Before(end) && !t.Failed() {
			w.step()
		}
		for s, n := range w.steps {
			all[s] += n
		}
		crashes, losses = crashes+w.crashes, losses+w.losses
	}
	t.Logf("steps %v, crashes %d, losses %d", all, crashes, losses)
	if all[StepReplaced] > 0 {
		t.Errorf("%d CAs were replaced at once", all[StepReplaced])
	}
	if testing.Short() {
		return
	}
	// A world in which nothing happens would prove nothing.
	for _, s := range []Step{StepCreated, StepPublished, StepInjected, StepWithheld, StepPromoted, StepLost, StepRecovered, StepRetired} {
		if all[s] < 3 {
			t.Errorf("%q came %d times only", string(s), all[s])
		}
	}
	if crashes < 15 {
		t.Errorf("%d crashes only", crashes)
	}
}

func newYears(t *testing.T, seed uint64) *years {
	w := &years{
		t: t, random: rand.New(rand.NewPCG(seed, 7)), now: newClock().at,
		stored: map[string][]byte{}, serving: map[string][]byte{},
		objects: make([][]byte, 3), clients: make([]client, 3), replicas: make([]*Pair, 3), steps: map[Step]int{},
		accepted: map[meeting]bool{},
	}
	for len(w.serving) == 0 {
		w.manage()
	}
	for i := range w.objects {
		w.inject(i)
		w.follow(i)
		w.reload(i)
	}
	return w
}

// chance is true once in n.
func (w *years) chance(n int) bool { return w.random.IntN(n) == 0 }

func (w *years) step() {
	w.now = w.now.Add(time.Duration(w.random.Int64N(int64(5 * day))))
	if w.chance(30) && w.left() > 65*day {
		w.lose()
		w.stuck = w.now
	}
	// What is served must last until a next CA signs.
	lost := ParseKeyring(w.stored).signing == nil
	if w.chance(400) && !lost {
		w.now = w.now.Add(25 * day) // the authority's keeper is down
	}
	if w.chance(120) {
		w.request = w.now.String()
	}
	if w.chance(60) && !lost {
		w.stuck = w.now.Add(time.Duration(w.random.Int64N(int64(100 * day))))
	}
	if w.chance(20) && !(lost && w.left() < 80*day) { // somebody installs the last object anew
		w.objects[2] = nil
		w.follow(2)
	}
	acts := []func(){w.manage, w.injectAll, w.followAll, w.reloadAll}
	w.random.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	for _, act := range acts {
		act()
		w.check()
	}
}

// left returns how long what is served is valid.
func (w *years) left() time.Duration {
	pair, err := parsePair(w.serving["tls.crt"], w.serving["tls.key"], nil, w.now)
	if err != nil {
		return 0
	}
	return pair.Leaf().NotAfter.Sub(w.now)
}

// lose deletes or damages pieces of the authority, or all of them.
func (w *years) lose() {
	w.losses++
	if w.chance(2) {
		w.stored = map[string][]byte{}
		return
	}
	for _, name := range KeyringPieces() {
		if !w.chance(2) {
			continue
		}
		switch w.random.IntN(4) {
		case 0:
			delete(w.stored, name)
		case 1:
			w.stored[name] = []byte("broken")
		case 2: // of another authority
			other, _ := advanced(w.t, &Keyring{}, w.now, Conditions{})
			w.stored[name] = other.Data()[name]
		case 3: // another piece of this one
			if other := w.stored[KeyringPieces()[w.random.IntN(4)]]; other != nil {
				w.stored[name] = other
			}
		}
	}
}

// manage plays the keeper of the authority.
func (w *years) manage() {
	budget := 1000
	if w.chance(4) {
		budget = w.random.IntN(6) // writes until it dies
	}
	write := func(change func()) error {
		if budget--; budget < 0 {
			w.crashes++
			return errCrash
		}
		change()
		return nil
	}
	pieces := store{
		write: func(_, name string, content []byte, _ os.FileMode) error {
			return write(func() { w.stored[name] = bytes.Clone(content) })
		},
		remove: func(path string) error { return write(func() { delete(w.stored, filepath.Base(path)) }) },
	}
	if err := w.keep(pieces, write); err != nil && !errors.Is(err, errCrash) {
		w.t.Fatal(err)
	}
}

func (w *years) keep(pieces store, write func(func()) error) error {
	k := ParseKeyring(w.stored)
	for {
		injected := bytes.Equal(w.serving["ca.crt"], k.Bundle()) && w.injected(k.Bundle())
		next, step, err := k.Advance(w.now, Conditions{Request: w.request, Injected: injected, Overlap: lag, Served: w.serving})
		if err != nil {
			return err
		}
		if step == StepNone {
			break
		}
		if step == StepPromoted && (!injected || w.now.Sub(w.since) < overlap) {
			w.t.Errorf("promoted without an overlap: every object holds the next CA since %v only", w.now.Sub(w.since))
		}
		if err := pieces.save(maps.Clone(w.stored), next.Data()); err != nil {
			return err
		}
		w.steps[step]++
		k = next
	}
	data, _, err := k.Serving(w.now, []string{"a.svc"}, w.serving)
	if err != nil || maps.EqualFunc(data, w.serving, bytes.Equal) {
		return err
	}
	return write(func() { w.serving = data })
}

// injected reports whether every object holds the bundle, and since when it has
// been so without a break.
func (w *years) injected(bundle []byte) bool {
	for _, object := range w.objects {
		if !bytes.Equal(object, bundle) {
			return false
		}
	}
	return true
}

func (w *years) injectAll() {
	late := ParseKeyring(w.stored).signing == nil && w.left() < 45*day
	for i := range w.objects {
		if (w.chance(3) || late) && !(i == 2 && w.now.Before(w.stuck)) {
			w.inject(i)
		}
	}
}

func (w *years) inject(i int) {
	if bytes.Equal(w.objects[i], w.serving["ca.crt"]) {
		return
	}
	if w.objects[i] != nil { // a client that was not called before has nothing to lag behind
		w.since = w.now
	}
	w.objects[i] = w.serving["ca.crt"]
}

// followAll lets clients hear of their objects.
func (w *years) followAll() {
	for i := range w.clients {
		if w.chance(8) {
			w.follow(i)
		}
	}
}

func (w *years) follow(i int) {
	c := &w.clients[i]
	c.behind = time.Time{}
	if bytes.Equal(c.of, w.objects[i]) {
		return
	}
	c.of, c.roots = w.objects[i], x509.NewCertPool()
	c.roots.AppendCertsFromPEM(c.of)
}

// reloadAll lets some replicas read a renewal.
func (w *years) reloadAll() {
	for i := range w.replicas {
		if w.chance(4 + 20*i) { // the last replica is disconnected for long
			w.reload(i)
		}
	}
}

func (w *years) reload(i int) {
	pair, err := parsePair(w.serving["tls.crt"], w.serving["tls.key"], w.serving["ca.crt"], w.now)
	if err != nil {
		w.t.Errorf("what is to be served is not good: %v", err)
		return
	}
	w.replicas[i] = pair
}

// check lets every client meet every replica.
func (w *years) check() {
	for i := range w.clients {
		switch c := &w.clients[i]; {
		case bytes.Equal(c.of, w.objects[i]):
			c.behind = time.Time{}
		case c.behind.IsZero():
			c.behind = w.now
		case w.now.Sub(c.behind) >= lag:
			w.follow(i)
		}
		for n, replica := range w.replicas {
			if w.now.After(replica.Leaf().NotAfter) {
				continue // not ready any more
			}
			met := meeting{string(w.clients[i].of), string(replica.Leaf().Raw)}
			if met.bundle == "" || w.accepted[met] {
				continue // its object is not armed yet
			}
			_, err := replica.Leaf().Verify(x509.VerifyOptions{Roots: w.clients[i].roots, DNSName: "a.svc", CurrentTime: w.now})
			if err != nil {
				w.t.Fatalf("%s: client %d refuses replica %d: %v", date(w.now), i, n, err)
			}
			w.accepted[met] = true
		}
	}
}
