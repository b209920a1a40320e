package v1alpha1

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ValidationPolicy is what must hold for objects, beyond what a schema can express. Field names
// and meaning are those of Kubernetes' ValidatingAdmissionPolicy
// (admissionregistration.k8s.io/v1) and its binding in one. A denial lists every mistake at
// once, each with its field.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=crosswalk-dev,shortName=valpol
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Actions",type=string,JSONPath=`.status.actions`,description="What happens if a rule does not hold"
// +kubebuilder:printcolumn:name="Failure-Policy",type=string,JSONPath=`.spec.failurePolicy`,description="What happens to a write if the policy cannot be evaluated"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is ready, or not; see kubectl describe for more"
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What is wrong, and what to do about it"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ValidationPolicy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the policy.
	// +required
	Spec ValidationPolicySpec `json:"spec"`

	// Status is the state of the policy. `crosswalk manage` writes it.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status PolicyStatus `json:"status,omitzero"`
}

// ValidationPolicyList is a list of validation policies.
//
// +kubebuilder:object:root=true
type ValidationPolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ValidationPolicy `json:"items"`
}

// ValidationPolicySpec is what must hold, and for which requests.
type ValidationPolicySpec struct {
	PolicyScope `json:",inline"`

	// Validations are the rules. Each is evaluated, and each that does not hold is one cause of
	// the denial.
	// +optional
	// +listType=atomic
	Validations []Validation `json:"validations,omitempty"`

	// AuditAnnotations are added to the audit log of the request, each as {name of the
	// webhook}/{name of the policy}.{key}.
	// +optional
	// +listType=atomic
	AuditAnnotations []admissionregistrationv1.AuditAnnotation `json:"auditAnnotations,omitempty"`

	// Ratcheting evaluates an update by what it changes: a rule is not evaluated if nothing
	// that it reads of the object has changed. So an object that existed before the policy can
	// still be labelled and deleted, and its status written. A rule that reads the writer
	// (request.userInfo, request.options, request.dryRun, authorizer) or oldObject is always
	// evaluated. If it is false, every rule is evaluated for every update, as by a
	// ValidatingAdmissionPolicy.
	// +optional
	// +kubebuilder:default=true
	Ratcheting *bool `json:"ratcheting,omitempty"`

	// ValidationActions are what happens if a rule does not hold: Deny denies the request, Warn
	// warns the writer, Audit adds to the audit log. Deny and Warn exclude each other.
	// +optional
	// +kubebuilder:default={Deny}
	// +kubebuilder:validation:items:Enum=Deny;Warn;Audit
	// +listType=set
	ValidationActions []admissionregistrationv1.ValidationAction `json:"validationActions,omitempty"`
}

// Validation is one rule.
type Validation struct {
	// Expression is a CEL expression that must be true. It may use object, oldObject, request,
	// params, namespaceObject, variables and authorizer, as in a ValidatingAdmissionPolicy.
	// +required
	// +kubebuilder:validation:MinLength=1
	Expression string `json:"expression"`

	// FieldPath is the place that the rule is about, written as in a CRD's
	// x-kubernetes-validations: .spec.hostPort, or .metadata.labels['my.label']. The denial
	// names it and, unless the object is a Secret, its value.
	// +optional
	FieldPath string `json:"fieldPath,omitempty"`

	// Message explains what is wrong and how to correct it. It has one line.
	// +optional
	Message string `json:"message,omitempty"`

	// MessageExpression is a CEL expression for the message. It may use everything that
	// Expression may use, except authorizer. If it fails, or its result is empty, has several
	// lines or more than 5 KiB, Message is used.
	// +optional
	MessageExpression string `json:"messageExpression,omitempty"`

	// Reason is the reason of the denial, if all rules that do not hold have the same:
	// Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. The default is Invalid.
	// +optional
	// +kubebuilder:validation:Enum=Unauthorized;Forbidden;Invalid;RequestEntityTooLarge
	Reason *metav1.StatusReason `json:"reason,omitempty"`
}
