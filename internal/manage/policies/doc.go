// Package policies registers ValidationPolicies and MutationPolicies: it keeps two webhook
// configurations up to date with them, and writes each policy's status.
//
// A [Scope] is everything in a webhook except its URL. Policies with the same scope share a
// webhook, whose path names them. [Plan] returns the intended configurations. A policy is
// registered only after every ready replica of serve, and the Service, have answered for its
// current form. Until then its previous registration stays, so a policy that moves from one
// webhook to another is always in exactly one.
package policies
