// Package cluster follows what the API server stores for Crosswalk: tables, their
// CustomResourceDefinitions and the revisions that CRDs are armed with. It writes nothing.
package cluster
