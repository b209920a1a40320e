// Package policy evaluates declarative policies: ValidationPolicy and MutationPolicy of
// crosswalk.dev, and Kubernetes' own ValidatingAdmissionPolicy and MutatingAdmissionPolicy with
// their bindings.
//
// [Compile] and similar functions make a [Policy] of an object, or return everything that is
// wrong with it. [Validations] and [Mutations] are reviewers that evaluate many policies for
// one request. Expressions are compiled in apiserver's own CEL environments and have the same
// cost limits. What policies see beyond the request comes through [Cluster]; this package does
// no I/O.
package policy
