package v1alpha1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Conversion requests one object in another version of its kind. Create it: the response has
// the object in its status. Nothing is stored, and nothing is read from the cluster.
//
// +kubebuilder:object:root=true
type Conversion struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object's metadata. It is optional, because nothing is stored under the name.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the request.
	// +required
	Spec ConversionSpec `json:"spec"`

	// status is the answer. It is ignored in requests.
	// +optional
	Status ConversionStatus `json:"status,omitzero"`
}

// ConversionSpec is the request.
type ConversionSpec struct {
	// object is the complete object to convert, with apiVersion and kind. Annotations that
	// start with stash.crosswalk.dev/ have the same effect as in the cluster: values that they
	// keep for the other version are restored.
	// +required
	Object runtime.RawExtension `json:"object"`

	// version is the requested version, without the group, such as v1.
	// +required
	Version string `json:"version"`

	// explain requests an explanation of each field of the answer, and of the fields that the
	// answer does not have.
	// +optional
	Explain bool `json:"explain,omitempty"`
}

// ConversionStatus is the answer.
type ConversionStatus struct {
	// object is the object in the requested version.
	// +optional
	Object runtime.RawExtension `json:"object,omitzero"`

	// steps explain the conversion, if spec.explain requests that: one step, or two if the
	// conversion goes through the hub, the version that all others are tied to.
	// +optional
	// +listType=atomic
	Steps []Step `json:"steps,omitempty"`
}

// Step explains the part of a conversion between the hub and another version. Paths have the
// form .spec.ports[0].name.
type Step struct {
	// from is the version that this step converts from.
	From string `json:"from"`
	// to is the version that this step converts to.
	To string `json:"to"`

	// rows is the version whose rows in the Crosswalk are used.
	Rows string `json:"rows"`

	// places are the places of the result, in its order. A place whose whole content is the
	// same in both versions is one entry.
	// +listType=atomic
	Places []Place `json:"places"`

	// uncomputed are the places of the result that a row could not compute, although a place
	// that it reads has a value.
	// +optional
	// +listType=atomic
	Uncomputed []Uncomputed `json:"uncomputed,omitempty"`

	// kept is what the result can't represent. The annotation stash.crosswalk.dev/FROM keeps it
	// for the way back.
	// +optional
	// +listType=atomic
	Kept []Kept `json:"kept,omitempty"`

	// dropped is what the table drops on purpose.
	// +optional
	// +listType=atomic
	Dropped []Dropped `json:"dropped,omitempty"`

	// unused is what was kept for this step's result, and was not restored.
	// +optional
	// +listType=atomic
	Unused []Unused `json:"unused,omitempty"`
}

// Place is a place of the result, and what has written it.
type Place struct {
	// path is the path of the place in the result.
	Path string `json:"path"`

	// by is what has written it: same (both versions have it), row, absence (a row with a value
	// for absent places), default (of the schema), constant (of a row), or stash (kept for this
	// version).
	By string `json:"by"`

	// row is the title of the row, as in messages about the table.
	// +optional
	Row string `json:"row,omitempty"`

	// from are the places of the source that the row has read.
	// +optional
	// +listType=atomic
	From []string `json:"from,omitempty"`

	// value is what was written, if it differs between the versions. It is left out if the
	// table marks the place as sensitive.
	// +optional
	Value *apiextensionsv1.JSON `json:"value,omitempty"`

	// sensitive reports whether the table marks the place as sensitive.
	// +optional
	Sensitive bool `json:"sensitive,omitempty"`
}

// Uncomputed is a place that a row could not compute.
type Uncomputed struct {
	// path is the path of the place in the result.
	Path string `json:"path"`
	// row is the title of the row.
	Row string `json:"row"`
	// needs explains what the row accepts, and why there is no value.
	Needs string `json:"needs"`
}

// Kept is a place of the source that the result can't represent as it is.
type Kept struct {
	// path is the path of the place in the source.
	Path string `json:"path"`

	// why is one of: no such field, cannot be mapped, another value on the way back,
	// absence, order, shape.
	Why string `json:"why"`

	// row is the title of the row for this place.
	// +optional
	Row string `json:"row,omitempty"`

	// needs explains what the row could map.
	// +optional
	Needs string `json:"needs,omitempty"`

	// value is what is kept. It is missing for absence and for an order.
	// +optional
	Value *apiextensionsv1.JSON `json:"value,omitempty"`

	// back is what converting back would give instead. It is missing for absence.
	// +optional
	Back *apiextensionsv1.JSON `json:"back,omitempty"`

	// leftOut reports whether annotations had no room for the value, so that it is lost.
	// +optional
	LeftOut bool `json:"leftOut,omitempty"`
}

// Dropped is a place of the source that the table drops on purpose.
type Dropped struct {
	// path is the path of the place in the source.
	Path string `json:"path"`
	// row is the title of the row.
	Row string `json:"row"`
	// reason is the reason in the table.
	Reason string `json:"reason"`
}

// Unused is an entry that was kept for the result and not restored.
type Unused struct {
	// path is the path where it would have been restored.
	Path string `json:"path"`
	// reason explains why it was not restored.
	Reason string `json:"reason"`
}
