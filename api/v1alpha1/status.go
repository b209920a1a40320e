package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CrosswalkStatus is the state of a table.
type CrosswalkStatus struct {
	// ObservedGeneration is the generation of the table that the other fields are about. It is
	// -1 before the first report, so that tools know that they must wait.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Kind is the kind of the CRD. It is empty if there is no such CRD.
	// +optional
	Kind string `json:"kind,omitempty"`

	// VersionNames lists the versions of the CRD that are converted, as kubectl prints them in
	// a column: v1beta1,v1.
	// +optional
	VersionNames string `json:"versionNames,omitempty"`

	// Fingerprint is the fingerprint of the table that the CRD is armed with: the last part of
	// its conversion path. It stays while a newer table waits.
	// +optional
	Fingerprint string `json:"fingerprint,omitempty"`

	// Conditions are Compiled, Armed, Ready and Guarded. The message of a condition that is not
	// true has the cause and the remedy.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Conditions of a Crosswalk.
const (
	// ConditionCompiled reports whether the table fits its CRD.
	ConditionCompiled = "Compiled"
	// ConditionArmed reports whether the CRD's spec.conversion names Crosswalk and
	// this table.
	ConditionArmed = "Armed"
	// ConditionReady reports whether the CRD's objects are converted by this table
	// now: it is compiled and armed, and replicas answer.
	ConditionReady = "Ready"
	// ConditionPermitted of a policy reports whether crosswalk serve has the rights that the
	// policy needs, for params, lookups, authorizer and objects that are scaled.
	ConditionPermitted = "Permitted"
	// ConditionFullAnswers of a policy reports whether crosswalk serve can identify the API
	// server, so that writers see what the policy reads from other objects.
	ConditionFullAnswers = "FullAnswers"
	// ConditionFitsSchemas of a policy reports whether its expressions fit the schemas of the
	// objects that it matches.
	ConditionFitsSchemas = "FitsSchemas"
	// ConditionGuarded reports whether the API server calls Crosswalk for writes of the CRD's
	// objects.
	ConditionGuarded = "Guarded"
	// ConditionPlaced reports whether the table has a place for every value that earlier tables
	// have kept, as far as the conversions of the last hour show. It is missing while replicas do
	// not answer.
	ConditionPlaced = "Placed"
	// ConditionRenewable reports whether the built-in authority can renew the serving
	// certificate. It is missing if another issuer renews it.
	ConditionRenewable = "Renewable"
)

// FinalizerDisarm keeps a deleted Crosswalk until its CRD no longer needs it.
const FinalizerDisarm = "crosswalk.dev/disarm"

// AnnotationInjectCA on a CustomResourceDefinition, a webhook configuration or an APIService,
// with the value "true", makes Crosswalk write its CA bundle into every caBundle of the object.
const AnnotationInjectCA = "crosswalk.dev/inject-ca"

// AnnotationInjectCAFrom on one of these, with the value NAMESPACE/SECRET, makes Crosswalk
// write the CA of that Secret instead: the CA of the server that is called. The Secret's owner
// must allow Crosswalk to read the Secret.
const AnnotationInjectCAFrom = "crosswalk.dev/inject-ca-from"
