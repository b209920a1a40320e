package command

import (
	"context"
	"os/signal"
	"syscall"
)

// untilSignal is a context that ends with SIGINT or SIGTERM. From the first signal on,
// the next one has its usual effect.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
