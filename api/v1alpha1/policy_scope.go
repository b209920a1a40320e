package v1alpha1

import admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

// PolicyScope says which requests a policy is about, and what its expressions may
// use. It is the same for validation and for mutation.
type PolicyScope struct {
	// MatchConstraints say which requests the policy is about, by resource,
	// operation, namespace and labels.
	// +required
	MatchConstraints *admissionregistrationv1.MatchResources `json:"matchConstraints"`

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
