package aggregated

import (
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
)

// reviewsVersion is the group version in which the API server asks for verdicts.
var reviewsVersion = schema.GroupVersion{Group: admissionv1alpha1.GroupName, Version: admissionv1alpha1.Version}

// newScheme returns a scheme with the kinds of the groups, and the kinds of Kubernetes with
// which every API server answers.
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
	if err := admissionv1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	metav1.AddToGroupVersion(scheme, reviewsVersion)
	for _, version := range []schema.GroupVersion{conversionv1alpha1.GroupVersion(), reviewsVersion} {
		if err := scheme.SetVersionPriority(version); err != nil {
			return nil, err
		}
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddUnversionedTypes(schema.GroupVersion{Version: "v1"},
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return scheme, nil
}
