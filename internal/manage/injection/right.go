package injection

import (
	"context"
	"fmt"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// retryRight is how soon to ask again for a right that somebody is told to give.
const retryRight = 15 * time.Second

// right asks the API server whether we may write to an object. The obstacle tells what
// gives the right. To ask first keeps refusals, which people are alarmed by, out of the
// audit log.
func (i *Injector) right(ctx context.Context, t target) (*obstacle, error) {
	resource, _ := meta.UnsafeGuessKindToResource(t.GroupVersionKind)
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: "patch", Group: resource.Group, Version: resource.Version, Resource: resource.Resource, Name: t.Name,
		},
	}}
	review, err := i.access.SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("ask the API server for the right to write to %s: %w", t, err)
	}
	if review.Status.Allowed {
		return nil, nil
	}
	subject, err := i.subject(ctx)
	if err != nil {
		return nil, err
	}
	// An Event has little room, and a name may be as long as 253 characters.
	const longest = 40
	role := "crosswalk-injects-" + strings.TrimSuffix(strings.ToLower(t.Kind), "configuration") + "-" + t.Name[:min(len(t.Name), longest)]
	return &obstacle{reasonRight, fmt.Sprintf("Crosswalk may not write to it, until somebody lets it: to this object by "+
		"`kubectl create clusterrole %s --verb=patch --resource=%s --resource-name=%s` and `kubectl create clusterrolebinding %s --clusterrole=%s %s`; "+
		"to all that asks by deploy/components/injection, with Helm the value injection.enabled",
		role, resource.GroupResource(), t.Name, role, role, subject), retryRight}, nil
}
