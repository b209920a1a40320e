// Package policy evaluates declarative policies: ValidationPolicy and
// MutationPolicy of crosswalk.dev, and Kubernetes' own ValidatingAdmissionPolicy
// and MutatingAdmissionPolicy with their bindings.
//
// [Compile] and its kin make a [Policy] of an object, or say everything that is
// wrong with it. [Validations] and [Mutations] are reviewers that ask many
// policies about one request. Expressions are compiled by apiserver's own CEL
// environments and are held to the same cost. What a policy may look at beyond
// the request comes through [Cluster]; this package does no I/O.
package policy
