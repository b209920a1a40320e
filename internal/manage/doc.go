// Package manage is what changes a cluster: it keeps the certificates, injects
// CA bundles, arms and disarms CustomResourceDefinitions and says in each
// Crosswalk's status how it stands.
package manage
