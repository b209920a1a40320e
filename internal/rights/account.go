package rights

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// Account is a ServiceAccount.
type Account struct{ Namespace, Name string }

// atOnce is how many questions are asked at the same time.
const atOnce = 8

// MissingOf returns the rights that an account does not have. The caller needs the right to
// create SubjectAccessReviews.
func MissingOf(ctx context.Context, client authorizationv1client.SubjectAccessReviewsGetter, account Account, needed []Right) ([]Right, error) {
	granted := make([]bool, len(needed))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, right := range needed {
		group.Go(func() error {
			attributes := authorizationv1.ResourceAttributes(right)
			review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
				User:               serviceaccount.MakeUsername(account.Namespace, account.Name),
				Groups:             append(serviceaccount.MakeGroupNames(account.Namespace), user.AllAuthenticated),
				ResourceAttributes: &attributes,
			}}
			answer, err := client.SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			if err != nil {
				return fmt.Errorf("the rights of the ServiceAccount %s/%s: %w", account.Namespace, account.Name, err)
			}
			granted[i] = answer.Status.Allowed
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var missing []Right
	for i, right := range needed {
		if !granted[i] {
			missing = append(missing, right)
		}
	}
	return missing, nil
}
