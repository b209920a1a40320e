package command

import (
	"context"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends with SIGINT or SIGTERM. After the first signal, the
// next one has its usual effect.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
