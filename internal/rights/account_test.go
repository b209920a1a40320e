package rights

import (
	"errors"
	"slices"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

// The API server is asked about the account, as a user in the groups of every account.
func TestMissingOf(t *testing.T) {
	client := fake.NewClientset()
	client.PrependReactor("create", "subjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SubjectAccessReview)
		groups := []string{"system:serviceaccounts", "system:serviceaccounts:here", "system:authenticated"}
		review.Status.Allowed = review.Spec.User == "system:serviceaccount:here:robot" && slices.Equal(review.Spec.Groups, groups) &&
			review.Spec.ResourceAttributes.Verb != "delete"
		return true, review, nil
	})
	needed := Parse("here", "get,delete,list pods", "delete,watch services")
	missing, err := MissingOf(t.Context(), client.AuthorizationV1(), Account{"here", "robot"}, needed)
	if got, want := Texts(missing), []string{"delete pods in here", "delete services in here"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v; missing are %q, want %q", err, got, want)
	}
}

func TestMissingOfWithoutAnswer(t *testing.T) {
	client := fake.NewClientset()
	failure := errors.New("no answer")
	client.PrependReactor("create", "subjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, failure })
	if _, err := MissingOf(t.Context(), client.AuthorizationV1(), Account{"here", "robot"}, Parse("", "get pods")); !errors.Is(err, failure) {
		t.Error(err)
	}
}
