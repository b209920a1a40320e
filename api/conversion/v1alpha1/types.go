package v1alpha1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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

	// explain asks also for why each field of the answer is what it is, and what became of
	// the rest.
	// +optional
	Explain bool `json:"explain,omitempty"`
}

// ConversionStatus is the answer.
type ConversionStatus struct {
	// object is the object in the version that was asked for.
	// +optional
	Object runtime.RawExtension `json:"object,omitzero"`

	// steps explain the conversion, if spec.explain asks for that: one step, or two where
	// the way is through the hub, the version that all others are tied to.
	// +optional
	// +listType=atomic
	Steps []Step `json:"steps,omitempty"`
}

// Step explains the part of a conversion between the hub and another version. Paths are
// as in .spec.ports[0].name.
type Step struct {
	// from is the version that this step converts from.
	From string `json:"from"`
	// to is the version that this step converts to.
	To string `json:"to"`

	// rows is the version whose rows in the Crosswalk convert.
	Rows string `json:"rows"`

	// places are those of the result, in its order. A place that is the same in both
	// versions with all that is in it is there as a whole.
	// +listType=atomic
	Places []Place `json:"places"`

	// uncomputed are the places of the result that a row could not compute, though
	// something is there that it reads.
	// +optional
	// +listType=atomic
	Uncomputed []Uncomputed `json:"uncomputed,omitempty"`

	// kept is what the result does not show, and carries in the annotation
	// stash.crosswalk.dev/FROM for the way back.
	// +optional
	// +listType=atomic
	Kept []Kept `json:"kept,omitempty"`

	// dropped is what the table loses on purpose.
	// +optional
	// +listType=atomic
	Dropped []Dropped `json:"dropped,omitempty"`

	// unused is what was kept for this step's result, and was not put back.
	// +optional
	// +listType=atomic
	Unused []Unused `json:"unused,omitempty"`
}

// Place is a place of the result, and what has written it.
type Place struct {
	// path leads to the place in the result.
	Path string `json:"path"`

	// by is what has written it: same (both versions have it), row, absence (a row that
	// says what the absence of its places means), default (of the schema), constant (of a
	// row), or stash (what was kept for this version).
	By string `json:"by"`

	// row is the title of the row, as messages about the table have it.
	// +optional
	Row string `json:"row,omitempty"`

	// from are the places of the source that the row has read.
	// +optional
	// +listType=atomic
	From []string `json:"from,omitempty"`

	// value is what was written, where it is not the same in both versions. It is left out
	// of places that the table calls sensitive.
	// +optional
	Value *apiextensionsv1.JSON `json:"value,omitempty"`

	// sensitive reports whether the table calls the place sensitive.
	// +optional
	Sensitive bool `json:"sensitive,omitempty"`
}

// Uncomputed is a place that a row could not compute.
type Uncomputed struct {
	// path leads to the place in the result.
	Path string `json:"path"`
	// row is the title of the row.
	Row string `json:"row"`
	// needs says what the row takes, and why there is no value.
	Needs string `json:"needs"`
}

// Kept is a place of the source that the result does not show as it is.
type Kept struct {
	// path leads to the place in the source.
	Path string `json:"path"`

	// why is one of: no such place, cannot be mapped, another value on the way back,
	// absence, order, shape.
	Why string `json:"why"`

	// row is the title of the row that has to do with it.
	// +optional
	Row string `json:"row,omitempty"`

	// needs says what the row could map.
	// +optional
	Needs string `json:"needs,omitempty"`

	// value is what is kept; nothing where that is absence or an order.
	// +optional
	Value *apiextensionsv1.JSON `json:"value,omitempty"`

	// back is what converting back would give instead; nothing where that is absence.
	// +optional
	Back *apiextensionsv1.JSON `json:"back,omitempty"`

	// leftOut reports whether there was no room for it in annotations: it is lost.
	// +optional
	LeftOut bool `json:"leftOut,omitempty"`
}

// Dropped is a place of the source that the table loses on purpose.
type Dropped struct {
	// path leads to the place in the source.
	Path string `json:"path"`
	// row is the title of the row.
	Row string `json:"row"`
	// reason is the one that the table gives.
	Reason string `json:"reason"`
}

// Unused is an entry that was kept for the result and not put back.
type Unused struct {
	// path leads to where it would have been.
	Path string `json:"path"`
	// reason says why it was not, for people.
	Reason string `json:"reason"`
}
