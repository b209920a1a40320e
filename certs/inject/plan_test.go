package inject

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestPlan runs one table over every kind.
func TestPlan(t *testing.T) {
	ca, next, old := newCA(t, "ca", 30), newCA(t, "next", 30), newCA(t, "old", 30)
	ours := join(ca, next)
	key := []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
	certManagers := map[string]string{"cert-manager.io/inject-ca-from": "ns/name"}
	for _, test := range []struct {
		name        string
		found       any               // of caBundle
		beside      map[string]any    // a Service where nil
		annotations map[string]string // of the object
		deleted     bool

		state State
		why   string // of an unparsable bundle
		write bool
		left  string // the reason of the problem
	}{
		{name: "absent", found: nil, state: Absent, write: true},
		{name: "empty string", found: "", state: Absent, write: true},
		{name: "one line break, as in many manifests", found: "Cg==", state: Absent, write: true},
		{name: "equal", found: encode(ours), state: Held},
		{name: "in another order", found: encode(join(next, ca)), state: Held},
		{name: "twice the same", found: encode(join(ca, next, ca)), state: Held},
		{name: "with comments and white space", found: encode(join([]byte("# ca\r\n\n"), ca, []byte("\n\n# next\n"), next)), state: Held},
		{name: "one of two", found: encode(ca), state: Stale, write: true},
		{name: "one too many", found: encode(join(ca, next, old)), state: Stale, write: true},
		{name: "stale", found: encode(old), state: Stale, write: true},
		{name: "no PEM", found: encode([]byte("garbage")), state: Unparsable, why: "there is no PEM certificate", write: true},
		{name: "no base64", found: "???", state: Unparsable, why: "illegal base64 data at input byte 0", write: true},
		{name: "no string", found: int64(3), state: Unparsable, why: "it is not a string", write: true},
		{name: "half a certificate", found: encode(ca[:len(ca)/2]), state: Unparsable, why: "1 of 1 PEM blocks are malformed", write: true},
		{name: "ours and half a certificate", found: encode(join(ours, old[:len(old)/2])), state: Unparsable, why: "1 of 3 PEM blocks are malformed", write: true},
		{name: "ours and a private key", found: encode(join(ours, key)), state: Unparsable, why: `PEM block 3 is not a CERTIFICATE but "PRIVATE KEY"`, write: true},
		{name: "a URL", found: encode(old), beside: map[string]any{"url": "https://example.com"}, state: Stale, write: true},
		{name: "a URL and an equal bundle", found: encode(ours), beside: map[string]any{"url": "https://example.com"}, state: Held},
		{name: "being deleted", found: encode(old), deleted: true, state: Stale, write: true},

		{name: "cert-manager's, absent", found: nil, annotations: certManagers, state: Absent, left: ReasonCertManager},
		{name: "cert-manager's, blank", found: "Cg==", annotations: certManagers, state: Absent, left: ReasonCertManager},
		{name: "cert-manager's, its own", found: encode(old), annotations: certManagers, state: Stale, left: ReasonCertManager},
		{name: "cert-manager's, equal", found: encode(ours), annotations: certManagers, state: Held, left: ReasonCertManager},
		{name: "cert-manager's, usable", found: encode(join(old, key)), annotations: certManagers, state: Unparsable, why: `PEM block 2 is not a CERTIFICATE but "PRIVATE KEY"`, left: ReasonCertManager},
		{name: "cert-manager's, garbage", found: encode([]byte("garbage")), annotations: certManagers, state: Unparsable, why: "there is no PEM certificate", write: true, left: ReasonCertManager},
		{name: "cert-manager's by Secret", found: encode(old), annotations: map[string]string{"cert-manager.io/inject-ca-from-secret": "ns/name"}, state: Stale, left: ReasonCertManager},
		{name: "cert-manager's from the API server", found: encode(old), annotations: map[string]string{"cert-manager.io/inject-apiserver-ca": "true"}, state: Stale, left: ReasonCertManager},
		{name: "not cert-manager's", found: encode(old), annotations: map[string]string{"cert-manager.io/inject-apiserver-ca": "false"}, state: Stale, write: true},
	} {
		for _, s := range subjects() {
			if test.beside != nil && !s.url {
				continue
			}
			t.Run(test.name+"/"+s.kind, func(t *testing.T) {
				beside := test.beside
				if beside == nil {
					beside = service()
				}
				object := s.live(test.annotations, beside, test.found)
				if test.deleted {
					object.Object["metadata"].(map[string]any)["deletionTimestamp"] = "2026-03-01T12:00:00Z"
				}
				change := plan(t, object, parse(t, ours))
				want := "nothing"
				if test.write {
					want = text(t, s.want(encode(ours)))
				}
				if got := text(t, change.Apply); got != want {
					t.Errorf("applied\n got %s\nwant %s", got, want)
				}
				if p := change.Places[0]; len(change.Places) != 1 || p.Path != s.paths[0] || p.State != test.state || p.Why != test.why {
					t.Errorf("found %s in state %d (%s), want %s in state %d (%s)", p.Path, p.State, p.Why, s.paths[0], test.state, test.why)
				}
				if repaired := len(change.Repaired()) == 1; repaired != (test.state == Unparsable && test.write) {
					t.Errorf("repaired: %v", change.Repaired())
				}
				if got := reason(change); got != test.left {
					t.Errorf("problem %q, want %q", got, test.left)
				}
				if change.Verifies {
					t.Error("it turns insecureSkipTLSVerify off, which is not on")
				}
				if test.write {
					checkSettled(t, object, change, parse(t, ours))
				}
			})
		}
	}
}

// checkSettled checks that what is applied needs no second write, holds the
// bundle and leaves the rest alone.
func checkSettled(t *testing.T, object *unstructured.Unstructured, change Change, bundle Bundle) {
	t.Helper()
	after := &unstructured.Unstructured{Object: merge(object.Object, change.Apply.Object).(map[string]any)}
	if again := plan(t, after, bundle); again.Apply != nil {
		t.Errorf("a second write is needed: %s", text(t, again.Apply))
	}
	lacking, err := Lacking(after, bundle)
	if err != nil || len(lacking) > 0 {
		t.Errorf("after it, %v lack the bundle: %v", lacking, err)
	}
	for _, p := range change.Places {
		got := strings.ReplaceAll(text(t, after), `"caBundle":"`+encode(bundle.PEM())+`"`, "")
		if strings.Contains(got, "caBundle") {
			t.Errorf("%s: something else is there: %s", p.Path, got)
		}
	}
}

func reason(c Change) string {
	if c.Problem == nil {
		return ""
	}
	return c.Problem.Reason
}

// Every element of a list is written as soon as one needs it: what a manager
// leaves out of its next apply is removed.
func TestSeveralWebhooks(t *testing.T) {
	ours, old := newCA(t, "ours", 30), newCA(t, "old", 30)
	garbage := encode([]byte("garbage"))
	for _, s := range subjects()[1:3] {
		t.Run(s.kind, func(t *testing.T) {
			object := s.live(nil, service(), encode(ours), encode(old), nil, garbage)
			change := plan(t, object, parse(t, ours))
			bundle := encode(ours)
			if got, want := text(t, change.Apply), text(t, s.want(bundle, bundle, bundle, bundle)); got != want {
				t.Errorf("applied\n got %s\nwant %s", got, want)
			}
			var states []State
			for _, p := range change.Places {
				states = append(states, p.State)
			}
			if got, want := text(t, states), text(t, []State{Held, Stale, Absent, Unparsable}); got != want {
				t.Errorf("states %s, want %s", got, want)
			}
			checkSettled(t, object, change, parse(t, ours))
			if change := plan(t, s.live(nil, service(), bundle, bundle), parse(t, ours)); change.Apply != nil {
				t.Errorf("applied %s to an object that holds it", text(t, change.Apply))
			}
		})
	}
}

// What cert-manager keeps stays as it is to the byte, even beside a place that
// is repaired.
func TestCertManagersBesideGarbage(t *testing.T) {
	ours, theirs := newCA(t, "ours", 30), join([]byte("# theirs\n"), newCA(t, "theirs", 30))
	annotations := map[string]string{"cert-manager.io/inject-ca-from": "ns/name"}
	for _, s := range subjects()[1:3] {
		object := s.live(annotations, service(), encode(theirs), encode([]byte("garbage")))
		change := plan(t, object, parse(t, ours))
		if got, want := text(t, change.Apply), text(t, s.want(encode(theirs), encode(ours))); got != want {
			t.Errorf("%s: applied\n got %s\nwant %s", s.kind, got, want)
		}
	}
}

// Nothing is written without a bundle.
func TestNoBundle(t *testing.T) {
	for _, s := range subjects() {
		change, err := Plan(s.live(nil, service(), nil), Bundle{})
		if want := s.kind + " it: there is no bundle to inject"; err == nil || err.Error() != want || change.Apply != nil {
			t.Errorf("%v, %s", err, text(t, change.Apply))
		}
	}
}

func TestLacking(t *testing.T) {
	ca, next, another := newCA(t, "ca", 30), newCA(t, "next", 30), newCA(t, "another", 30)
	both := join(ca, next)
	for _, s := range subjects() {
		for _, test := range []struct {
			name        string
			found       any
			annotations map[string]string
			lacks       bool
		}{
			{name: "absent", found: nil},
			{name: "the same", found: encode(both)},
			{name: "more", found: encode(join(another, both))},
			{name: "one", found: encode(ca), lacks: true},
			{name: "the other", found: encode(next), lacks: true},
			{name: "one, and another", found: encode(join(ca, another)), lacks: true},
			{name: "another", found: encode(another)},
			{name: "garbage", found: encode([]byte("garbage"))},
			{name: "cert-manager's", found: encode(ca), annotations: map[string]string{"cert-manager.io/inject-ca-from": "ns/name"}},
		} {
			got, err := Lacking(s.live(test.annotations, service(), test.found), parse(t, both))
			want := ""
			if test.lacks {
				want = s.paths[0]
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%s, %s: %v, %v, want %q", s.kind, test.name, got, err, want)
			}
		}
	}
	for _, s := range subjects()[1:3] {
		got, err := Lacking(s.live(nil, service(), encode(both), encode(next)), parse(t, both))
		if err != nil || len(got) != 1 || got[0] != s.paths[1] {
			t.Errorf("%s: %v, %v, want %s", s.kind, got, err, s.paths[1])
		}
	}
}
