// Package policies sees that what ValidationPolicies and MutationPolicies say is what
// happens to writes, seen through kubectl and the API server.
package policies
