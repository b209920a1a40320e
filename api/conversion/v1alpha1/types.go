package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Conversion asks for one object in another version of its kind. It is created, and the
// answer to that has the object in its status; nothing is stored, and nothing is read
// from the cluster.
//
// +kubebuilder:object:root=true
type Conversion struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object's metadata. It may be left out: nothing is stored under the name.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the question.
	// +required
	Spec ConversionSpec `json:"spec"`

	// status is the answer. What a request has there is not looked at.
	// +optional
	Status ConversionStatus `json:"status,omitzero"`
}

// ConversionSpec is the question.
type ConversionSpec struct {
	// object is the object to convert, whole, with apiVersion and kind. Annotations that
	// start with stash.crosswalk.dev/ count as they do in the cluster: what is kept in
	// them for the other version is put back.
	// +required
	Object runtime.RawExtension `json:"object"`

	// version is the version that is asked for, without the group, as in v1.
	// +required
	Version string `json:"version"`
}

// ConversionStatus is the answer.
type ConversionStatus struct {
	// object is the object in the version that was asked for.
	// +optional
	Object runtime.RawExtension `json:"object,omitzero"`
}
