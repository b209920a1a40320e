package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// panicAttrs describes a panic for the log. It includes the text of a runtime error only: the
// value of any other panic could hold a part of an object.
func panicAttrs(value any, stack []byte) []slog.Attr {
	what := fmt.Sprintf("%T", value)
	if err, ok := value.(runtime.Error); ok {
		what = err.Error()
	}
	return []slog.Attr{slog.String("panic", what), slog.String("stack", string(stack))}
}

// Panicked counts and logs a recovered panic, without anything that could be part of an object.
// It is also for handlers that are served beside the webhook's.
func (m *Metrics) Panicked(ctx context.Context, log *slog.Logger, value any) {
	m.panics.Inc()
	log.LogAttrs(ctx, slog.LevelError, "panic while answering", panicAttrs(value, debug.Stack())...)
}

// shortUID returns a uid for the log. The API server's have 36 characters.
func shortUID(uid []byte) string {
	return string(uid[:min(len(uid), 64)])
}
