package validation

import "context"

// Any client that reaches a webhook can send it a review, and invent everything in it: the
// user, the object, the namespace. A reviewer that reads other objects for its verdict would
// read them for anybody. So it shows what it has read only to a known caller, which is the API
// server. The API server shows it to the writer, whom it has authenticated. An unknown caller
// learns only whether something is allowed, in words that do not depend on what was read.

type knownCaller struct{}

// WithKnownCaller returns a context for the requests of a caller that has identified itself as
// the API server, or of a caller that acts for itself, such as a test.
func WithKnownCaller(ctx context.Context) context.Context {
	return context.WithValue(ctx, knownCaller{}, true)
}

// CallerIsKnown reports whether ctx comes from [WithKnownCaller]. A [Reviewer] must not show to
// an unknown caller anything that it has read besides the request.
func CallerIsKnown(ctx context.Context) bool {
	known, _ := ctx.Value(knownCaller{}).(bool)
	return known
}
