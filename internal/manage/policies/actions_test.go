package policies

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// The status names the actions as kubectl prints them in a column, and follows the spec.
func TestActions(t *testing.T) {
	s := newStage(t)
	for spec, want := range map[string]string{"[Warn, Audit]": "Warn,Audit", "[Deny]": "Deny"} {
		a := validation(t, "a", "validationActions: "+spec)
		s.put(a)
		s.learn(a)
		s.pass()
		p := new(v1alpha1.ValidationPolicy)
		if err := s.client.Get(t.Context(), client.ObjectKey{Name: "a"}, p); err != nil {
			t.Fatal(err)
		}
		if p.Status.Actions != want {
			t.Errorf("%s: got %q", spec, p.Status.Actions)
		}
	}
}
