package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// UntilAllowed waits until the API server lets a user do something: it hears of rules a
// moment after it has stored them.
func UntilAllowed(t testing.TB, api *harness.API, user string, what authorizationv1.ResourceAttributes) {
	t.Helper()
	review := authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &what}}
	review.APIVersion, review.Kind = authorizationv1.SchemeGroupVersion.String(), "SubjectAccessReview"
	body, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	Until(t, 20*time.Second, func(ctx context.Context) error {
		said, err := api.Do(ctx, http.MethodPost, "/apis/authorization.k8s.io/v1/subjectaccessreviews", harness.JSONType, body)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(said, &review); err != nil {
			t.Fatal(err)
		}
		if !review.Status.Allowed {
			return fmt.Errorf("%s may not yet %s %s of the group %q: %s", user, what.Verb, what.Resource, what.Group, review.Status.Reason)
		}
		return nil
	})
}
