package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is the API group that Crosswalk serves itself.
const GroupName = "conversion.crosswalk.dev"

// Version is this package's version of the group.
const Version = "v1alpha1"

// KindConversion is the kind of a request for one object in another version, and
// ResourceConversions is its resource.
const (
	KindConversion      = "Conversion"
	ResourceConversions = "conversions"
)

// GroupVersion returns the apiVersion of every kind in this package.
func GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: GroupName, Version: Version}
}

// AddToScheme adds the kinds of this package to a scheme, for clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion(), &Conversion{})
	metav1.AddToGroupVersion(scheme, GroupVersion())
	return nil
}
