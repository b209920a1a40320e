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

// KindConversion is the kind of a question for one object in another version, and
// ResourceConversions the resource that it is created in.
const (
	KindConversion      = "Conversion"
	ResourceConversions = "conversions"
)

// GroupVersion is the apiVersion of every kind in this package.
func GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: GroupName, Version: Version}
}

// AddToScheme makes the kinds of this package known to a scheme, for clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion(), &Conversion{})
	metav1.AddToGroupVersion(scheme, GroupVersion())
	return nil
}
