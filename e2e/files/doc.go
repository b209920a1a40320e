// Package files holds the end-to-end test of Crosswalk without a cluster role:
// `crosswalk serve --config` with tables from files and a certificate of its own,
// and a CRD that an administrator points at it.
package files
