package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PolicyStatus says what has become of a policy. It is the same for validation and
// for mutation.
type PolicyStatus struct {
	// ObservedGeneration is the generation of the policy that Compiled and Ready are about;
	// -1 while nothing has been said, by which tools see that they have to wait.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Actions names the validationActions of a ValidationPolicy, as kubectl prints them
	// in a column: Deny,Audit.
	// +optional
	Actions string `json:"actions,omitempty"`

	// Conditions are Compiled, which reports whether every expression compiles; Ready,
	// which reports whether the API server asks about every write that the policy is
	// about, and every replica judges by the policy as it is now; FitsSchemas, which
	// reports whether every expression fits the schemas of those objects; Permitted, of a
	// policy that judges who scales objects, which reports whether they may be read; and
	// FullAnswers, of a policy that tells what it reads of other objects, which reports
	// whether the API server is known, to whom alone that is told.
	// Each message of one that is not true says the cause and the remedy.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
