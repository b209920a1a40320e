package injection

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The gate of a change of CA opens when everything that asks for the bundle
// holds it, whatever else it holds, or holds nothing of it.
func TestInjected(t *testing.T) {
	old, next := newCA(t), newCA(t)
	both := slices.Concat(old, next)
	certManagers := wanted()
	certManagers["cert-manager.io/inject-ca-from"] = "a/b"
	for _, test := range []struct {
		name        string
		found       []byte
		annotations map[string]string
		closed      bool
	}{
		{"holds both", both, wanted(), false},
		{"holds more", slices.Concat(newCA(t), next, old), wanted(), false},
		{"holds the old one", old, wanted(), true},
		{"holds nothing", nil, wanted(), false},
		{"holds another's", newCA(t), wanted(), false},
		{"holds garbage", []byte("garbage"), wanted(), false},
		{"does not ask", old, nil, false},
		{"asks not to", old, map[string]string{"crosswalk.dev/inject-ca": "false"}, false},
		{"asks unclearly", old, map[string]string{"crosswalk.dev/inject-ca": "1"}, false},
		{"is cert-manager's", old, certManagers, false},
	} {
		for kind := range manifests() {
			t.Run(test.name+"/"+kind, func(t *testing.T) {
				var objects []client.Object // of the other kinds, all well
				for other := range manifests() {
					if other != kind {
						objects = append(objects, object(t, other, both, wanted()))
					}
				}
				r := newRig(t, both, append(objects, object(t, kind, test.found, test.annotations))...)
				err := r.Injected(t.Context(), both)
				if (err != nil) != test.closed {
					t.Fatal(err)
				}
				if test.closed && (!strings.HasPrefix(err.Error(), kind+" it: .") ||
					!strings.HasSuffix(err.Error(), "caBundle does not hold the CA bundle yet; see the object's events")) {
					t.Error(err)
				}
				if !test.closed {
					return
				}
				if _, err := r.Reconcile(t.Context(), target{inKind(t, kind), "it"}); err != nil {
					t.Fatal(err)
				}
				if err := r.Injected(t.Context(), both); err != nil {
					t.Errorf("after an injection: %v", err)
				}
			})
		}
	}
}

func TestInjectedFails(t *testing.T) {
	r := newRig(t, newCA(t))
	if err := r.Injected(t.Context(), []byte("garbage")); err == nil ||
		err.Error() != "reading the CA bundle: there is no PEM certificate" {
		t.Error(err)
	}
	r.live = &unreadable{r.client, 1}
	if err := r.Injected(t.Context(), newCA(t)); err == nil ||
		err.Error() != "listing every CustomResourceDefinition: no cache yet" {
		t.Error(err)
	}
}
