package validation

import "context"

// Whoever reaches a webhook can send it a review, and make up everything in it: who
// writes, what, and in which namespace. A reviewer that reads other objects for its
// verdict would read them for anybody. So it tells what it has read to nobody but a
// caller that is known, which is the API server: it shows that to the writer whom it
// has authenticated. What it tells a stranger is whether something is allowed, in words
// that do not depend on what was read.

type knownCaller struct{}

// WithKnownCaller returns a context for the requests of a caller that has shown that it
// is the API server, or of one that asks for nobody else, such as a test.
func WithKnownCaller(ctx context.Context) context.Context {
	return context.WithValue(ctx, knownCaller{}, true)
}

// CallerIsKnown reports whether ctx comes from [WithKnownCaller]. To a caller that is not
// known, a [Reviewer] must tell nothing that it has read besides the request.
func CallerIsKnown(ctx context.Context) bool {
	known, _ := ctx.Value(knownCaller{}).(bool)
	return known
}
