// Package caller ends work for which nobody waits any more.
//
// Who works looks again and again whether the caller is still there, at the depth of
// functions that have nothing else to fail with. So the work is ended by a panic, which
// the package that works turns into an error, by [Catch] or [Caught], before it returns.
package caller

import (
	"context"
	"runtime"
)

// every is how much work is done between two looks at a context. A look takes some ten
// nanoseconds, and a unit of work between a hundred nanoseconds and ten microseconds.
const every = 1024

// Caller waits for work. The zero value, and none, wait for ever.
type Caller struct {
	ctx  context.Context
	left int
	// begun says that work has been done since the beginning.
	begun bool
}

// Of returns the caller whose context is ctx.
func Of(ctx context.Context) Caller {
	if ctx.Done() == nil {
		ctx = nil // it is never done
	}
	return Caller{ctx: ctx}
}

// Work counts work that is about to be done, in units such as the places of an element or
// the entries of a stash, and ends it once the caller has gone. Now and then it lets others
// work, too: by itself, a goroutine that computes gives way every ten milliseconds only, and
// two of them would keep all that is short waiting for longer than it takes.
func (c *Caller) Work(units int) {
	if c != nil {
		if c.left -= units; c.left <= 0 {
			if c.begun {
				runtime.Gosched()
			}
			c.begun = true
			c.Look()
		}
	}
}

// Look ends the work if the caller has gone, however little has been done since the last
// look.
func (c *Caller) Look() {
	c.left = every
	if c.ctx != nil && c.ctx.Err() != nil {
		panic(gone{context.Cause(c.ctx)})
	}
}

// gone is what the work ends with.
type gone struct{ cause error }

// Catch is to be deferred where work begins. If the work was ended, it sets err to a
// *GoneError.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = Caught(p)
	}
}

// Caught is Catch for one who has recovered from a panic. It passes on any but that of ended
// work.
func Caught(p any) *GoneError {
	if gone, ok := p.(gone); ok {
		return &GoneError{gone.cause}
	}
	panic(p)
}

// Gone returns a *GoneError if ctx is done, and nil otherwise.
func Gone(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return &GoneError{context.Cause(ctx)}
}

// GoneError says why nobody waits.
type GoneError struct{ Cause error }

func (e *GoneError) Error() string {
	return "it was ended, because nobody waits for it any more: " + e.Cause.Error()
}

// Unwrap returns why.
func (e *GoneError) Unwrap() error { return e.Cause }
