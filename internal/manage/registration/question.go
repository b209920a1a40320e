package registration

import (
	"context"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// questionsOf returns the requests that must be answered before a version of a table is
// registered: for the guard, and for the strict webhook. Both are about the CRD.
func (r *reconciler) questionsOf(crd string, t Table, version string) (guard, strict *webhooks.Question) {
	q := webhooks.Question{
		Path: GuardPath, Group: t.Group, Version: version, Kind: t.Kind, Resource: t.Resource,
		Operation: admissionv1.Create, About: crd,
	}
	if t.Scope == admissionregistrationv1.NamespacedScope {
		q.Namespace = r.Serve.Service.Namespace
	}
	other := q
	other.Path = StrictPath
	return &q, &other
}

func keepingQuestion() *webhooks.Question {
	return &webhooks.Question{
		Path: KeepConversionPath, Group: apiextensionsv1.GroupName, Version: apiextensionsv1.SchemeGroupVersion.Version,
		Kind: "CustomResourceDefinition", Resource: "customresourcedefinitions", Operation: admissionv1.Update,
	}
}

// Probe asks the server at an address for the smallest review of all. It is for
// [reach.Serve.Follow].
func Probe(ctx context.Context, client *http.Client, address string) error {
	return keepingQuestion().Put(ctx, client, address)
}

func configuringQuestion() *webhooks.Question {
	return &webhooks.Question{
		Path: ConfigurationPath, Group: v1alpha1.GroupName, Version: v1alpha1.Version,
		Kind: v1alpha1.KindCrosswalk, Resource: "crosswalks", Operation: admissionv1.Create,
		More: `,"spec":{"hub":"v1"}`, // without a hub it would be denied, and the log would report that
	}
}
