package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PolicyStatus is the state of a policy. It is the same for validation and for mutation.
type PolicyStatus struct {
	// ObservedGeneration is the generation of the policy that Compiled and Ready are about. It
	// is -1 before the first report, so that tools know that they must wait.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Actions lists the validationActions of a ValidationPolicy, as kubectl prints them in a
	// column: Deny,Audit.
	// +optional
	Actions string `json:"actions,omitempty"`

	// Conditions are Compiled, which reports whether every expression compiles; Ready, which
	// reports whether the API server calls Crosswalk for every write that the policy matches,
	// every replica evaluates the current policy, everything that the policy names exists, and
	// params and lookups may be read; FitsSchemas, which reports whether every expression fits
	// the schemas of those objects; Permitted, for a policy with params, lookups or authorizer
	// or that applies to scaling, which reports whether Crosswalk has the rights for that; and
	// FullAnswers, for a policy that shows what it reads from other objects, which reports
	// whether the API server identifies itself, because only then they are shown. The message
	// of a condition that is not true has the cause and the remedy.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
