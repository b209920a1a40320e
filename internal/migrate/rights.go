package migrate

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

const reviewsPath = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

// checkRights checks the rights that a migration needs, as `kubectl auth can-i` does, and
// reports whether objects are written through /status. If we may not ask, the migration is
// tried.
func (m *Migrator) checkRights(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, hasStatus bool) (subresource string, err error) {
	resource := authorizationv1.ResourceAttributes{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}
	self := authorizationv1.ResourceAttributes{Group: apiextensionsv1.GroupName, Resource: "customresourcedefinitions", Name: crd.Name}
	var missing []string
	check := func(verb, subresource string, of authorizationv1.ResourceAttributes) error {
		of.Verb, of.Subresource = verb, subresource
		allowed, err := m.allowed(ctx, of)
		if err == nil && !allowed {
			missing = append(missing, right(of))
		}
		return err
	}
	if hasStatus {
		resource := resource
		resource.Verb, resource.Subresource = "patch", "status"
		may, err := m.allowed(ctx, resource)
		if err != nil {
			return "", err
		}
		if may {
			subresource = "status"
		}
	}
	for _, needed := range []struct {
		verb, subresource string
		of                authorizationv1.ResourceAttributes
	}{
		{"list", "", resource},
		{"get", "", resource},
		{"patch", subresource, resource},
		{"patch", "", self},
		{"patch", "status", self},
	} {
		if err := check(needed.verb, needed.subresource, needed.of); err != nil {
			return "", err
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("RBAC does not allow you to %s: a ClusterRole with these rules and a ClusterRoleBinding do", strings.Join(missing, ", "))
	}
	return subresource, nil
}

// allowed reports whether we may do something in all namespaces.
func (m *Migrator) allowed(ctx context.Context, what authorizationv1.ResourceAttributes) (bool, error) {
	review := authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &what},
	}
	review.APIVersion, review.Kind = authorizationv1.SchemeGroupVersion.String(), "SelfSubjectAccessReview"
	var answer authorizationv1.SelfSubjectAccessReview
	err := bulk.Persist(ctx, func() error {
		return m.client.Do(ctx, bulk.Request{Method: http.MethodPost, Path: reviewsPath, ContentType: bulk.JSON, Body: review}, &answer)
	})
	if err != nil && bulk.Classify(err) == bulk.Final {
		return true, nil
	}
	return answer.Status.Allowed, err
}

func right(a authorizationv1.ResourceAttributes) string {
	text := a.Verb + " " + a.Resource
	if a.Subresource != "" {
		text += "/" + a.Subresource
	}
	text += " in the group " + a.Group
	if a.Name != "" {
		text += " (" + a.Name + ")"
	}
	return text
}
