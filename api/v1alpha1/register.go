package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is the API group of Crosswalk's own kinds.
const GroupName = "crosswalk.dev"

// Version is this package's version of the group.
const Version = "v1alpha1"

// The kinds of this package.
const (
	// KindCrosswalk is the kind of a conversion table.
	KindCrosswalk = "Crosswalk"
	// KindValidationPolicy is the kind of a validation policy.
	KindValidationPolicy = "ValidationPolicy"
	// KindMutationPolicy is the kind of a mutation policy.
	KindMutationPolicy = "MutationPolicy"
)

// GroupVersion returns the apiVersion of every kind in this package.
func GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: GroupName, Version: Version}
}

// AddToScheme adds the kinds of this package to a scheme, for clients and informers.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion(),
		&Crosswalk{}, &CrosswalkList{},
		&ValidationPolicy{}, &ValidationPolicyList{},
		&MutationPolicy{}, &MutationPolicyList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion())
	return nil
}
