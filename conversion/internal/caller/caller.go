// Package caller ends work when its caller no longer waits for the result.
//
// Code that works checks again and again whether the caller is still there, deep inside functions
// that have no other errors. So it ends the work with a panic, which the package that began the
// work turns into an error, by [Catch] or [Caught], before it returns.
package caller

import (
	"context"
	"runtime"
)

// every is how much work is done between two checks of a context. A check takes some ten
// nanoseconds, and a unit of work between a hundred nanoseconds and ten microseconds.
const every = 1024

// Caller is who waits for work. The zero value, and nil, wait for ever.
type Caller struct {
	ctx  context.Context
	left int
	// begun says that work was done since the beginning.
	begun bool
}

// Of returns the caller whose context is ctx.
func Of(ctx context.Context) Caller {
	if ctx.Done() == nil {
		ctx = nil // it is never done
	}
	return Caller{ctx: ctx}
}

// Work counts work that will be done, in units such as the fields of an element or the entries of a
// stash, and ends it if the caller is gone. From time to time it also lets other goroutines run. By
// itself, a goroutine that computes yields only every ten milliseconds, and two of them would delay
// all short work by more than it takes.
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

// Look ends the work if the caller is gone, however little was done since the last check.
func (c *Caller) Look() {
	c.left = every
	if c.ctx != nil && c.ctx.Err() != nil {
		panic(gone{context.Cause(c.ctx)})
	}
}

// gone is the value of the panic that ends the work.
type gone struct{ cause error }

// Catch must be deferred where work begins. If the work was ended, it sets err to a *GoneError.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = Caught(p)
	}
}

// Caught returns what Catch would set err to, for a value that was recovered. It panics again with
// any other value.
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

// GoneError is the error of work that was ended.
type GoneError struct{ Cause error }

func (e *GoneError) Error() string {
	return "it was ended, because nobody waits for it any more: " + e.Cause.Error()
}

// Unwrap returns Cause.
func (e *GoneError) Unwrap() error { return e.Cause }
