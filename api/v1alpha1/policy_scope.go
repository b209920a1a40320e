package v1alpha1

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PolicyScope says which requests a policy is about, and what its expressions may
// use. It is the same for validation and for mutation.
type PolicyScope struct {
	// MatchConstraints say which requests the policy is about, by resource,
	// operation, namespace and labels.
	// +required
	MatchConstraints *admissionregistrationv1.MatchResources `json:"matchConstraints"`

	// Hub says that the policy is written for the hub version of its kind's
	// Crosswalk, and holds for all versions: expressions see every object in the hub
	// version, and a fieldPath is told in the version that the user wrote. The rules
	// of MatchConstraints name the hub version, or *.
	// +optional
	Hub bool `json:"hub,omitempty"`

	// MatchConditions are CEL that all must give true for the policy to count. In
	// them namespaceObject is null.
	// +optional
	// +kubebuilder:validation:MaxItems=64
	// +listType=map
	// +listMapKey=name
	MatchConditions []admissionregistrationv1.MatchCondition `json:"matchConditions,omitempty"`

	// Variables are CEL that other expressions use as variables.NAME. Each is
	// evaluated at most once for a request, when it is first needed, and may use
	// those before it.
	// +optional
	// +listType=map
	// +listMapKey=name
	Variables []admissionregistrationv1.Variable `json:"variables,omitempty"`

	// Lookups read other objects, which other expressions use as lookups.NAME.
	// Each is read at most once for a request, when it is first needed.
	// +optional
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	Lookups []Lookup `json:"lookups,omitempty"`

	// ParamKind is the kind of the objects that are bound to params.
	// +optional
	ParamKind *admissionregistrationv1.ParamKind `json:"paramKind,omitempty"`

	// ParamRef chooses objects of ParamKind. The policy is evaluated for each of
	// them, and all count. Without it params is null.
	// +optional
	ParamRef *admissionregistrationv1.ParamRef `json:"paramRef,omitempty"`

	// FailurePolicy says what becomes of a request that the policy cannot judge,
	// because an expression fails or params are not there: Fail denies it and says
	// which expression failed and why, Ignore lets it pass.
	// +optional
	// +kubebuilder:default=Fail
	// +kubebuilder:validation:Enum=Fail;Ignore
	FailurePolicy *admissionregistrationv1.FailurePolicyType `json:"failurePolicy,omitempty"`
}

// Lookup is a named read of other objects: of one by its name, or of all that
// have certain labels or a certain owner. The role of Crosswalk must allow it to
// get, list and watch them.
//
// What is read from the cache may be older than the last write: two writes at the
// same time can both pass a rule that each of them alone would pass and both
// together would not. Live makes the time shorter, and does not make it zero.
type Lookup struct {
	// Name is that of the lookup: lookups.NAME.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`

	// APIVersion is that of the objects, for example apps/v1.
	// +required
	// +kubebuilder:validation:MinLength=1
	APIVersion string `json:"apiVersion"`

	// Kind is that of the objects.
	// +required
	// +kubebuilder:validation:MinLength=1
	Kind string `json:"kind"`

	// NameExpression is CEL that gives the name of one object. The lookup is that
	// object, and null where there is none of that name. An empty name is null,
	// too.
	// +optional
	NameExpression string `json:"nameExpression,omitempty"`

	// Selector chooses objects by their labels; {} chooses all. The lookup is a
	// list.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`

	// SelectorExpression is CEL that gives a label selector as kubectl takes it, for
	// example "'app=' + object.spec.app". The lookup is a list.
	// +optional
	SelectorExpression string `json:"selectorExpression,omitempty"`

	// OwnerExpression is CEL that gives the uid of an object. The lookup is the list
	// of those that it owns: that have it among their ownerReferences.
	// +optional
	OwnerExpression string `json:"ownerExpression,omitempty"`

	// NamespaceExpression is CEL that gives the namespace to look in. Without it this
	// is the namespace of the request. Lists of an empty namespace are those of all
	// namespaces.
	// +optional
	NamespaceExpression string `json:"namespaceExpression,omitempty"`

	// Live asks the API server for every request, instead of reading from a cache
	// that watches.
	// +optional
	Live bool `json:"live,omitempty"`
}
