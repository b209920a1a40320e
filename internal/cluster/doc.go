// Package cluster follows what the API server holds for Crosswalk: tables,
// their CustomResourceDefinitions and the revisions that CRDs are armed with.
// Nothing in it writes.
package cluster
