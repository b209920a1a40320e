package v1alpha1

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MutationPolicy sets fields that a client has left out, or changes fields. Field names and
// meaning are those of Kubernetes' MutatingAdmissionPolicy (admissionregistration.k8s.io/v1)
// and its binding in one.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=crosswalk-dev,shortName=mutpol
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Failure-Policy",type=string,JSONPath=`.spec.failurePolicy`,description="What happens to a write if the policy cannot be applied"
// +kubebuilder:printcolumn:name="Reinvocation",type=string,priority=1,JSONPath=`.spec.reinvocationPolicy`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is ready, or not; see kubectl describe for more"
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What is wrong, and what to do about it"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type MutationPolicy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the policy.
	// +required
	Spec MutationPolicySpec `json:"spec"`

	// Status is the state of the policy. `crosswalk manage` writes it.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status PolicyStatus `json:"status,omitzero"`
}

// MutationPolicyList is a list of mutation policies.
//
// +kubebuilder:object:root=true
type MutationPolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []MutationPolicy `json:"items"`
}

// MutationPolicySpec is what to change, and for which requests.
type MutationPolicySpec struct {
	PolicyScope `json:",inline"`

	// Mutations change the object one after the other: each sees the changes of the previous
	// ones.
	// +required
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	Mutations []admissionregistrationv1.Mutation `json:"mutations"`

	// ReinvocationPolicy specifies whether the policy is evaluated again if a later policy has
	// changed the object: IfNeeded or Never. The default is Never.
	// +optional
	// +kubebuilder:default=Never
	// +kubebuilder:validation:Enum=Never;IfNeeded
	ReinvocationPolicy admissionregistrationv1.ReinvocationPolicyType `json:"reinvocationPolicy,omitempty"`
}
