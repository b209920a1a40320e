package authority

import (
	"bytes"
	"errors"
	"maps"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// damages are ways to lose the authority's key, or a part of its Secret, with what the Event
// adds.
func damages() map[string]struct {
	change func(w *world)
	told   string
} {
	broken := func(change func(*corev1.Secret)) func(*world) {
		return func(w *world) { w.change(w.authority(), change) }
	}
	return map[string]struct {
		change func(w *world)
		told   string
	}{
		"the Secret is deleted": {func(w *world) { w.remove(w.authority()) }, "the Secret does not exist"},
		"the Secret is emptied": {broken(func(s *corev1.Secret) { s.Data = nil }), ""},
		"the key is deleted":    {broken(func(s *corev1.Secret) { delete(s.Data, "ca.key") }), "ca.crt: its key, ca.key, is missing"},
		"the key is broken":     {broken(func(s *corev1.Secret) { s.Data["ca.key"] = []byte("x") }), "ca.key: there is no PEM private key"},
		"the key is another": {func(w *world) {
			other := newWorld(w.t)
			other.look()
			w.change(w.authority(), func(s *corev1.Secret) { s.Data["ca.key"] = other.authority().Data["ca.key"] })
		}, "ca.crt: no certificate in it is for ca.key"},
		"the Secret is that of another cluster": {func(w *world) {
			other := newWorld(w.t)
			other.look()
			w.change(w.authority(), func(s *corev1.Secret) { s.Data = other.authority().Data })
		}, ""},
	}
}

// TestLost: what is served stays, and stays trusted, until every caBundle has held a next CA for
// the overlap.
func TestLost(t *testing.T) {
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			first := w.serving().Data
			w.recorded()
			w.gate = func([]byte) error { return errors.New("crd a lacks it") }
			damage.change(w)
			w.look()
			text := certs.StepLost.String()
			if damage.told != "" {
				text += " (" + damage.told + ")"
			}
			w.wantEvents("Warning CALost " + text)
			w.wantExpiry(time.Time{})
			w.wantState("AuthorityLost: the key of the CA in the Secret crosswalk-system/crosswalk-authority is lost, so the serving certificate cannot be renewed; " +
				"a next CA signs as soon as every caBundle has held it for 1h0m0s; see kubectl -n crosswalk-system events --for secret/crosswalk-authority")
			published := w.serving().Data
			if !bytes.Equal(published["tls.crt"], first["tls.crt"]) || !w.trusts(published["ca.crt"], first["tls.crt"]) {
				t.Error("what is served has changed, or is not trusted any more")
			}
			if n := authorities(published["ca.crt"]); n != 2 {
				t.Errorf("%d CAs in the bundle, want 2", n)
			}
			w.now = w.now.Add(10 * overlap)
			w.idle()
			w.wantEvents("Normal CAWaits")
			w.gate = nil
			w.look()
			w.wantEvents("Normal CAInjected")
			w.now = w.now.Add(overlap)
			w.look()
			w.wantEvents("Normal CAPromoted", "Normal CertificateIssued issued a serving certificate: another CA signs now")
			w.wantGood()
			if !w.trusts(published["ca.crt"], w.serving().Data["tls.crt"]) || w.trusts(first["ca.crt"], w.serving().Data["tls.crt"]) {
				t.Error("the next CA has not signed")
			}
			w.wantExpiry(w.now.Add(10*365*day - 11*overlap))
			w.wantState("")
			w.idle()
		})
	}
}

// TestLostCertificates: without its certificates, the key goes on signing.
func TestLostCertificates(t *testing.T) {
	for name, content := range map[string][]byte{"deleted": nil, "broken": []byte("x")} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.look()
			w.rotate("x")
			w.look()
			w.look()
			w.now = w.now.Add(overlap)
			w.look() // two CAs, the first retired
			before, authority := w.serving().Data, w.authority().Data
			w.recorded()
			w.change(w.authority(), func(s *corev1.Secret) {
				if delete(s.Data, "ca.crt"); content != nil {
					s.Data["ca.crt"] = content
				}
			})
			w.look()
			w.wantEvents("Warning CARecovered")
			if !maps.EqualFunc(before, w.serving().Data, bytes.Equal) || !bytes.Equal(authority["ca.crt"], w.authority().Data["ca.crt"]) {
				t.Error("not as it was")
			}
			w.idle()
		})
	}
}

// TestLostBeforeTheEnd: a leaf that cannot be renewed is replaced before it expires, whether the
// bundles hold the next CA or not.
func TestLostBeforeTheEnd(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.gate = func([]byte) error { return errors.New("no") }
	w.remove(w.authority())
	w.look()
	w.now = w.now.Add(90*day - 2*time.Hour)
	w.recorded()
	w.idle()
	w.wantEvents("Normal CAWaits")
	w.now = w.now.Add(time.Hour)
	w.look()
	w.wantEvents("Warning CAReplaced", "Normal CertificateIssued")
	w.wantGood()
}

// TestLostWithItsCertificate: if nothing is served either, a new CA signs at once.
func TestLostWithItsCertificate(t *testing.T) {
	w := newWorld(t)
	w.look()
	w.remove(w.authority())
	w.remove(w.serving())
	w.recorded()
	w.look()
	w.wantEvents("Normal CACreated", "Normal CertificateIssued")
	w.wantGood()
	w.remove(w.authority())
	w.look()
	w.remove(w.serving()) // and this during the rotation
	w.recorded()
	w.look()
	w.wantEvents("Warning CAReplaced", "Normal CertificateIssued")
	w.wantGood()
}

// TestLostInLoop: a client that deletes the Secret again and again does not fill every caBundle.
func TestLostInLoop(t *testing.T) {
	w := newWorld(t)
	w.look()
	first := w.serving().Data["tls.crt"]
	for range 50 {
		w.remove(w.authority())
		w.look()
		w.now = w.now.Add(time.Minute)
		w.look()
	}
	bundle := w.serving().Data["ca.crt"]
	if n := authorities(bundle); n > 10 || !w.trusts(bundle, first) {
		t.Errorf("%d CAs in the bundle; the leaf is trusted: %v", n, w.trusts(bundle, first))
	}
}

// TestLostBetweenSteps loses the authority after each write of everything that it does. A
// client accepts what is served at any time, if it follows its caBundle within the overlap.
func TestLostBetweenSteps(t *testing.T) {
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			for at := 1; ; at++ {
				if !lostAt(t, at, damage.change) {
					if at < 8 {
						t.Errorf("only %d writes", at)
					}
					return
				}
			}
		})
	}
}

// lostAt rotates, loses the authority after a number of writes, and goes on until nothing is
// left to do. It reports whether there were so many writes.
func lostAt(t *testing.T, at int, lose func(w *world)) bool {
	t.Helper()
	w := newWorld(t)
	w.look()
	w.writes = 0
	held := []heldBundle{{w.serving().Data["ca.crt"], w.now}} // by clients, the latest last
	lost := false
	w.before = func(int) error {
		if lost || w.writes <= at {
			return nil
		}
		return errDown // the process ends before this write
	}
	look := func() {
		t.Helper()
		_, err := w.keeper.Reconcile(t.Context(), reconcile.Request{})
		if err != nil && !errors.Is(err, errDown) {
			t.Fatal(err)
		}
		if !lost && w.writes >= at {
			lost = true
			w.restart()
			lose(w)
			w.look()
		}
		serving := w.serving().Data
		if !bytes.Equal(serving["ca.crt"], held[len(held)-1].text) {
			held = append(held, heldBundle{serving["ca.crt"], w.now})
		}
		for i, bundle := range held {
			if i+1 < len(held) && w.now.Sub(held[i+1].since) >= overlap {
				continue // every client has heard of a later one
			}
			if !w.trusts(bundle.text, serving["tls.crt"]) {
				t.Errorf("lost after %d writes: at %s, a client with bundle %d of %d rejects what is served", at, w.now, i+1, len(held))
			}
		}
	}
	w.rotate("x")
	for range 4 {
		look()
		look()
		w.now = w.now.Add(overlap)
	}
	w.now = w.now.Add(61 * day)
	look()
	for range 4 {
		look()
		look()
		w.now = w.now.Add(overlap)
	}
	w.now = w.now.Add(30 * day)
	look()
	look()
	w.wantGood()
	w.idle()
	return lost
}

type heldBundle struct {
	text  []byte
	since time.Time
}
