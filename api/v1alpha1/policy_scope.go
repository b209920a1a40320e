package v1alpha1

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PolicyScope selects the requests that a policy matches, and what its expressions may use. It
// is the same for validation and for mutation.
type PolicyScope struct {
	// MatchConstraints select the requests that the policy matches, by resource, operation,
	// namespace and labels.
	// +required
	MatchConstraints *admissionregistrationv1.MatchResources `json:"matchConstraints"`

	// Hub reports that the policy is written against the hub version of its kind's Crosswalk,
	// and applies to all versions: expressions see every object in the hub version, and a
	// fieldPath is reported in the version that the user wrote. The rules of MatchConstraints
	// name the hub version, or *.
	// +optional
	Hub bool `json:"hub,omitempty"`

	// MatchConditions are CEL expressions that must all be true for the policy to apply. In
	// them namespaceObject is null.
	// +optional
	// +kubebuilder:validation:MaxItems=64
	// +listType=map
	// +listMapKey=name
	MatchConditions []admissionregistrationv1.MatchCondition `json:"matchConditions,omitempty"`

	// Variables are CEL expressions that other expressions use as variables.NAME. Each is
	// evaluated at most once for a request, when it is first needed, and may use earlier ones.
	// +optional
	// +listType=map
	// +listMapKey=name
	Variables []admissionregistrationv1.Variable `json:"variables,omitempty"`

	// Lookups read other objects, which other expressions use as lookups.NAME. Each is read at
	// most once for a request, when it is first needed.
	// +optional
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	Lookups []Lookup `json:"lookups,omitempty"`

	// ParamKind is the kind of the objects that are bound to params.
	// +optional
	ParamKind *admissionregistrationv1.ParamKind `json:"paramKind,omitempty"`

	// ParamRef selects objects of ParamKind. The policy is evaluated for each of them, and must
	// hold for all. Without it params is null.
	// +optional
	ParamRef *admissionregistrationv1.ParamRef `json:"paramRef,omitempty"`

	// FailurePolicy is what happens to a request for which the policy cannot be evaluated,
	// because an expression fails or params do not exist: Fail denies it and names the
	// expression and the error, Ignore lets it pass.
	// +optional
	// +kubebuilder:default=Fail
	// +kubebuilder:validation:Enum=Fail;Ignore
	FailurePolicy *admissionregistrationv1.FailurePolicyType `json:"failurePolicy,omitempty"`
}

// Lookup is a named read of other objects: of one by its name, or of all with certain labels or
// a certain owner. The role of Crosswalk must allow it to get, list and watch them.
//
// The cache may be older than the last write: two concurrent writes can both pass a rule that
// both together would violate. Live makes that time shorter, but not zero.
type Lookup struct {
	// Name is the name of the lookup: lookups.NAME.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`

	// APIVersion is the apiVersion of the objects, for example apps/v1.
	// +required
	// +kubebuilder:validation:MinLength=1
	APIVersion string `json:"apiVersion"`

	// Kind is the kind of the objects.
	// +required
	// +kubebuilder:validation:MinLength=1
	Kind string `json:"kind"`

	// NameExpression is a CEL expression for the name of one object. The lookup is that object,
	// or null if there is none. An empty name gives null, too.
	// +optional
	NameExpression string `json:"nameExpression,omitempty"`

	// Selector selects objects by their labels; {} selects all. The lookup is a list.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`

	// SelectorExpression is a CEL expression for a label selector in kubectl's form, for
	// example "'app=' + object.spec.app". The lookup is a list.
	// +optional
	SelectorExpression string `json:"selectorExpression,omitempty"`

	// OwnerExpression is a CEL expression for the uid of an object. The lookup is the list of
	// the objects that it owns: those with the uid in their ownerReferences.
	// +optional
	OwnerExpression string `json:"ownerExpression,omitempty"`

	// NamespaceExpression is a CEL expression for the namespace to look in. The default is the
	// namespace of the request. For an empty namespace, lists contain the objects of all
	// namespaces.
	// +optional
	NamespaceExpression string `json:"namespaceExpression,omitempty"`

	// Live asks the API server for every request, instead of reading from a cache.
	// +optional
	Live bool `json:"live,omitempty"`
}
