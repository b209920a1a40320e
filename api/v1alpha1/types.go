package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Crosswalk says which places of one version of a custom resource correspond
// to which places of another. One table works both ways, and what one version
// cannot hold is kept for it.
//
// It is named for its CustomResourceDefinition, for example
// crontabs.stable.example.com.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=crosswalk-dev,shortName=cw
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="CRD",type=string,JSONPath=`.status.kind`,description="The kind of the CRD; empty where there is no such CRD"
// +kubebuilder:printcolumn:name="Hub",type=string,JSONPath=`.spec.hub`
// +kubebuilder:printcolumn:name="Versions",type=string,JSONPath=`.status.versionNames`,description="The versions that are converted"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is ready, or not; kubectl describe says more"
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What is wrong, and what to do about it"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Crosswalk struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the table.
	// +required
	Spec CrosswalkSpec `json:"spec"`

	// Status says what has become of the table. It is written by
	// `crosswalk manage`.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status CrosswalkStatus `json:"status,omitzero"`
}

// CrosswalkList is a list of tables.
//
// +kubebuilder:object:root=true
type CrosswalkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Crosswalk `json:"items"`
}

// CrosswalkSpec is a conversion table: a hub and, for every other version of
// the CRD, the rows that tie it to the hub.
type CrosswalkSpec struct {
	// Hub is the version that every other version is tied to. It may be any
	// version of the CRD and need not be the one that is stored.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Hub string `json:"hub"`

	// Admission chooses whether writes of the CRD's objects are looked at. Guarded,
	// the default, keeps what a version does not show from clients that drop,
	// copy or forge it, and refuses values that no other version could show. None
	// does neither.
	// +optional
	// +kubebuilder:validation:Enum=Guarded;None
	Admission Admission `json:"admission,omitempty"`

	// Parameters are static values by their names, for example {className:
	// standard}. Rows have them as {$parameter: className} wherever they state a
	// value, and expressions as parameters.className.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Parameters map[string]Value `json:"parameters,omitempty"`

	// Tables are lists of rows by name that every version may use, as it does its own.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Tables map[string][]Row `json:"tables,omitempty"`

	// Versions holds the rows of each version but the hub. A version of the
	// CRD that is not named here has no rows: whatever it shares with the hub
	// is copied, and the rest is kept.
	// +optional
	// +listType=map
	// +listMapKey=name
	Versions []VersionTable `json:"versions,omitempty"`
}

// Admission chooses whether writes of objects are looked at.
type Admission string

const (
	// AdmissionGuarded is the default.
	AdmissionGuarded Admission = "Guarded"
	// AdmissionNone leaves writes alone.
	AdmissionNone Admission = "None"
)

// Admissions are all that there are.
func Admissions() []Admission { return []Admission{AdmissionGuarded, AdmissionNone} }

// VersionTable ties one version, the spoke, to the hub.
type VersionTable struct {
	// Name is the version, for example v1beta1.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=56
	Name string `json:"name"`

	// Retired says why this version has no rows: it is neither served nor the storage
	// version, and no object is stored in it any more. One that is cannot be read.
	// +optional
	Retired string `json:"retired,omitempty"`

	// Rows tie places of this version to places of the hub. What no row names
	// and both versions have at the same path is the same; what only one
	// version has is kept.
	// +optional
	// +listType=atomic
	Rows []Row `json:"rows,omitempty"`

	// Tables are lists of rows by name, for objects that occur at several places,
	// or within themselves. Rows, each, single and keyed use them by their names.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Tables map[string][]Row `json:"tables,omitempty"`
}
