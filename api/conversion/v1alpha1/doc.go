// Package v1alpha1 holds the kinds of the API that Crosswalk serves itself, behind an
// APIService: a [Conversion] requests one object in another version.
//
// +kubebuilder:object:generate=true
// +k8s:openapi-gen=true
// +k8s:openapi-model-package=dev.crosswalk.conversion.v1alpha1
// +groupName=conversion.crosswalk.dev
package v1alpha1
