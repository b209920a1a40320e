// Package manage is what changes a cluster: it keeps the certificates, injects
// CA bundles, arms and disarms CustomResourceDefinitions, tells the API server
// which writes to ask about, and says in the status of each Crosswalk and each
// policy how it stands.
package manage
