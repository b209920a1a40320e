package webhook

import (
	"fmt"
	"log/slog"
	"runtime"
)

// panicAttrs describe a panic. Only a runtime error's text is logged: the value
// of any other panic could hold a part of an object.
func panicAttrs(value any, stack []byte) []slog.Attr {
	what := fmt.Sprintf("%T", value)
	if err, ok := value.(runtime.Error); ok {
		what = err.Error()
	}
	return []slog.Attr{slog.String("panic", what), slog.String("stack", string(stack))}
}

// shortUID is a uid as it is logged. The API server's have 36 characters.
func shortUID(uid []byte) string {
	return string(uid[:min(len(uid), 64)])
}
