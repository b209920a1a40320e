// Package policies tells the API server which writes ValidationPolicies and
// MutationPolicies are about: it keeps two webhook configurations of their own in
// step with them, and says in each policy's status how it stands.
//
// A [Scope] is what a webhook says besides whom it asks. Policies with the same scope
// share a webhook, whose path names them; [Plan] says how the configurations then are,
// and is all that there is to know about them. A scope comes only after every ready
// replica of serve, and the Service in front of them, have answered for the policy as
// it is now. Until then the API server goes on asking as it does, so that a policy
// that moves from one webhook to another is always in exactly one.
package policies
