// Package inject keeps CA bundles where the API server looks for them: in the
// caBundle fields of CustomResourceDefinitions, webhook configurations and
// APIServices.
//
// A small table ([Kinds]) says where each kind has its bundles; everything else
// is shared. [Plan] compares an object with the [Bundle] that it should hold and
// says what to write, as the smallest configuration for server-side apply.
// Nothing here reads or writes anything itself.
//
// Bundles are compared by their certificates: the same ones in another order, or
// with other white space or comments around them, need no write. That matters,
// because each write to a CRD's spec makes the API server build that resource's
// storage and caches anew.
package inject
