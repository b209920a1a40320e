package lookup

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

func TestResourceOfKind(t *testing.T) {
	known := &mapper{DefaultRESTMapper: meta.NewDefaultRESTMapper(nil)}
	squads := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Squad"}
	known.Add(squads, meta.RESTScopeNamespace)
	rights := &Rights{kinds: newKinds(func() (meta.RESTMapper, error) { return known, nil }, time.Now)}
	if got, err := rights.Resource(t.Context(), squads); got.String() != "squads.example.com" || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	squads.Kind = "Team"
	if got, err := rights.Resource(t.Context(), squads); !errors.Is(err, policy.ErrUnknownKind) {
		t.Errorf("got %v, %v", got, err)
	}
}

// An answer is remembered for a while, and no error.
func TestRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, allowed, failure := 0, false, error(nil)
		client := fake.NewClientset()
		client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
			asked++
			review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
			if a := review.Spec.ResourceAttributes; a.Verb != "get" || a.Group != "example.com" || a.Resource != "squads" || a.Namespace != "" {
				t.Errorf("asks for %+v", a)
			}
			review.Status.Allowed = allowed
			return true, review, failure
		})
		rights := &Rights{client: client.AuthorizationV1(), now: time.Now, known: map[right]answered{}}
		wants := func(want bool, wantErr error, wantAsked int) {
			t.Helper()
			got, err := rights.May(t.Context(), "get", schema.GroupResource{Group: "example.com", Resource: "squads"})
			if got != want || !errors.Is(err, wantErr) || asked != wantAsked {
				t.Errorf("got %v, %v after %d questions, want %v, %v after %d", got, err, asked, want, wantErr, wantAsked)
			}
		}
		wants(false, nil, 1)
		allowed = true
		wants(false, nil, 1)
		time.Sleep(remembered)
		wants(true, nil, 2)
		time.Sleep(remembered)
		failure = errors.New("no answer")
		wants(false, failure, 3)
		failure = nil
		wants(true, nil, 4)
	})
}
