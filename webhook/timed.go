package webhook

import (
	"context"
	"log/slog"
	"time"
)

// longConversion is how long a conversion may take before it is logged. Most take microseconds,
// and the largest objects that an API server stores take milliseconds.
const longConversion = time.Second

// timed records how long the conversion of e took, whether it succeeded or not, and logs it if
// it was too long. The time starts at the end of the previous object, so the clock is read once
// for each.
func (x *exchange) timed(ctx context.Context, e *element, body []byte) {
	begin := x.last
	x.last = x.front.now()
	took, t := x.last.Sub(begin), x.pair.table
	t.counters.seconds.Observe(took.Seconds())
	if took <= longConversion {
		return
	}
	t.counters.slow.Inc()
	object := identify(e.span.Bytes(body))
	x.front.logger.LogAttrs(ctx, slog.LevelWarn, "a conversion took long",
		slog.Float64("seconds", took.Seconds()),
		slog.String("crd", t.Name()),
		slog.String("namespace", shorten(object.Metadata.Namespace)),
		slog.String("name", shorten(object.Metadata.Name)),
		slog.Int("bytes", int(e.span.End-e.span.Start)),
		slog.String("from", shorten(string(versionOf(e, body)))),
		slog.String("to", shorten(x.desired(t))),
		slog.String("table", t.fingerprint),
		slog.Int("unplaced", x.notes.Unplaced),
		slog.String("uid", shortUID(text(body, x.review.uid))))
}
