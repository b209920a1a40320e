// Package v1alpha1 holds the configuration kinds of Crosswalk.
// A [Crosswalk] is the conversion table of one CustomResourceDefinition. The same YAML works in
// a file (crosswalk serve --config) and in the cluster.
//
// +kubebuilder:object:generate=true
// +groupName=crosswalk.dev
package v1alpha1
