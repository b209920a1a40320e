// Package webhooks keeps pairs of webhook configurations, one that changes and one
// that validates, as somebody wants them to be. What they should say, and what must
// be answered before they say it, is the matter of who uses it.
//
// A [Side] is one configuration, as it is or as it should be. A [Keeper] compares the
// two and writes what differs, never more than a [Question] has been answered for.
package webhooks
