package aggregated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
)

// newScheme knows the kinds of the group, and Kubernetes' own that every API server
// answers with.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	if err := conversionv1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	internal := schema.GroupVersion{Group: conversionv1alpha1.GroupName, Version: runtime.APIVersionInternal}
	scheme.AddKnownTypeWithName(internal.WithKind(conversionv1alpha1.KindConversion), &question{})
	if err := addConversions(scheme); err != nil {
		return nil, err
	}
	if err := scheme.SetVersionPriority(conversionv1alpha1.GroupVersion()); err != nil {
		return nil, err
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddUnversionedTypes(schema.GroupVersion{Version: "v1"},
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return scheme, nil
}
