// Package inject keeps CA bundles where the API server reads them: in the caBundle fields of
// CustomResourceDefinitions, webhook configurations and APIServices.
//
// A small table ([Kinds]) lists where each kind has its bundles. Everything else is shared.
// [Plan] compares an object with the [Bundle] that it should hold, and returns what to write:
// the smallest configuration for server-side apply. Nothing here reads or writes anything
// itself.
//
// Bundles are compared by their certificates: the same certificates in another order, or with
// other white space or comments around them, need no write. Each write to a CRD's spec makes
// the API server build that resource's storage and caches anew, so a needless write is
// expensive.
package inject
