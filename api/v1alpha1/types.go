package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Crosswalk is a conversion table: it lists which fields of one version of a custom resource
// correspond to which fields of another. One table works in both directions. Anything that one
// version can't represent is kept and restored on the way back.
// It has the name of its CustomResourceDefinition, for example crontabs.stable.example.com.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,categories=crosswalk-dev,shortName=cw
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="CRD",type=string,JSONPath=`.status.kind`,description="The kind of the CRD; empty if there is no such CRD"
// +kubebuilder:printcolumn:name="Hub",type=string,JSONPath=`.spec.hub`
// +kubebuilder:printcolumn:name="Versions",type=string,JSONPath=`.status.versionNames`,description="The versions that are converted"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is ready, or not; see kubectl describe for more"
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What is wrong, and what to do about it"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Crosswalk struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the table.
	// +required
	Spec CrosswalkSpec `json:"spec"`

	// Status is the state of the table. `crosswalk manage` writes it.
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

// CrosswalkSpec is a conversion table: a hub and, for every other version of the CRD, the rows
// that map it to the hub.
type CrosswalkSpec struct {
	// Hub is the version that every other version is mapped to. It may be any version of the CRD
	// and need not be the storage version.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Hub string `json:"hub"`

	// Admission chooses whether writes of the CRD's objects are reviewed. Guarded, the default,
	// protects kept values from clients that drop, copy or forge them, and rejects values that
	// another version can't represent. None does neither.
	// +optional
	// +kubebuilder:validation:Enum=Guarded;None
	Admission Admission `json:"admission,omitempty"`

	// Parameters are named constants, for example {className: standard}. Rows use them as
	// {$parameter: className} instead of a value, and expressions as parameters.className.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Parameters map[string]Value `json:"parameters,omitempty"`

	// Tables are named lists of rows that every version may use, like its own.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Tables map[string][]Row `json:"tables,omitempty"`

	// Versions holds the rows of each version but the hub. A version of the CRD that is not
	// listed has no rows: what it has in common with the hub is copied, and the rest is kept.
	// +optional
	// +listType=map
	// +listMapKey=name
	Versions []VersionTable `json:"versions,omitempty"`
}

// Admission chooses whether writes of objects are reviewed.
type Admission string

const (
	// AdmissionGuarded is the default.
	AdmissionGuarded Admission = "Guarded"
	// AdmissionNone reviews no writes.
	AdmissionNone Admission = "None"
)

// Admissions returns all values.
func Admissions() []Admission { return []Admission{AdmissionGuarded, AdmissionNone} }

// VersionTable maps one version, the spoke, to the hub.
type VersionTable struct {
	// Name is the version, for example v1beta1.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=56
	Name string `json:"name"`

	// Retired marks a version without rows, and its text is the reason. The version is neither
	// served nor the storage version, and no object is stored in it any more. An object that is
	// still stored in it cannot be read.
	// +optional
	Retired string `json:"retired,omitempty"`

	// Rows map fields of this version to fields of the hub. Fields that no row names and that
	// both versions have at the same path are copied. Fields that only one version has are
	// kept.
	// +optional
	// +listType=atomic
	Rows []Row `json:"rows,omitempty"`

	// Tables are named lists of rows, for objects that occur in several fields, or inside
	// themselves. Rows, each, single and keyed use them by name.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Tables map[string][]Row `json:"tables,omitempty"`
}
