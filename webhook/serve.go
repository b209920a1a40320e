package webhook

import (
	"log/slog"
	"net/http"
)

// answer writes a review, or fails with what to answer instead.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, want wanted) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	body, err := readBody(&h.buffers, r, h.MaxBodyBytes)
	if err != nil {
		return err
	}
	defer h.buffers.put(body)
	x := h.exchanges.get()
	defer h.exchanges.put(x, len(body.bytes))
	if err := x.decoder.decode(body.bytes, &x.review); err != nil {
		return err
	}
	// Room for what a stash adds; more is grown.
	out := h.buffers.get(len(body.bytes) + len(body.bytes)/4 + 256)
	defer func() { h.buffers.put(out) }()
	var fail *failure
	out.bytes, fail, err = x.convert(r.Context(), out.bytes, body.bytes, h.Tables.snapshot(), want)
	if err == errGone {
		return err
	}
	if fail != nil || err != nil {
		// Some object was not converted, so nobody has validated it, nor what
		// follows it. Whatever went wrong: a body that is no JSON comes first.
		if malformed := x.decoder.validate(body.bytes); malformed != nil {
			return malformed
		}
	}
	if err != nil {
		return err
	}
	if fail != nil {
		h.failed(r, x, body.bytes, fail)
		out.bytes = appendFailure(out.bytes[:0], x.review.version, x.review.uid.Bytes(body.bytes), fail.message)
	}
	return h.send(w, out.bytes)
}

// failed logs and counts a review that fails.
func (h *handler) failed(r *http.Request, x *exchange, body []byte, fail *failure) {
	attrs := []slog.Attr{
		slog.String("reason", shorten(fail.message)),
		slog.String("uid", shortUID(text(body, x.review.uid))),
	}
	if fail.panicked != nil {
		h.Metrics.panics.Inc()
		h.Logger.LogAttrs(r.Context(), slog.LevelError, "panic while converting",
			append(attrs, panicAttrs(fail.panicked, fail.stack)...)...)
		return
	}
	h.Logger.LogAttrs(r.Context(), slog.LevelWarn, "an object could not be converted", attrs...)
}
