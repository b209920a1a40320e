// Package webhooks keeps pairs of webhook configurations, a mutating and a validating one, in
// the form that its users intend. The users decide about the content, and about what must be
// answered before it is written.
//
// A [Side] is one configuration, existing or intended. A [Keeper] compares the two and writes
// the difference, but only what a [Question] has been answered for.
package webhooks
