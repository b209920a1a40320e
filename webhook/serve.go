package webhook

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
)

var (
	// errGone says that nobody waits for the answer any more.
	errGone = errors.New("the client is gone")
	// errCutOff says that the answer could not be sent to its end.
	errCutOff = errors.New("the answer could not be sent")
)

// serve answers one request for a conversion and counts it.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, route *routeCounters, fingerprint string) {
	start := h.Now()
	h.Metrics.inFlight.Inc()
	status := 0
	defer func() {
		if p := recover(); p != nil {
			h.panicked(w, r, p)
			status = http.StatusInternalServerError
		}
		h.Metrics.inFlight.Dec()
		route.done(status, h.Now().Sub(start))
	}()
	status = http.StatusOK
	if err := h.answer(w, r, fingerprint); err != nil {
		var refused *httpError
		if !errors.As(err, &refused) {
			status = 0
			if errors.Is(err, errGone) {
				w.WriteHeader(http.StatusServiceUnavailable) // whoever reads it: it is no success
			}
			return
		}
		status = refused.status
		refused.write(w)
		h.Logger.LogAttrs(r.Context(), slog.LevelWarn, "refused a request",
			slog.Int("status", status), slog.String("reason", refused.sentence), slog.String("remote", r.RemoteAddr))
	}
}

// answer writes a review, or fails with what to answer instead.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, fingerprint string) error {
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
	out.bytes, fail, err = x.convert(r.Context(), out.bytes, body.bytes, h.Tables.snapshot(), fingerprint)
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
	header := w.Header()
	header["Content-Type"] = h.jsonType
	// Without it net/http would send more than 2 kB in chunks.
	header["Content-Length"] = []string{strconv.Itoa(len(out.bytes))}
	if _, err := w.Write(out.bytes); err != nil {
		return errCutOff
	}
	return nil
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

// panicked answers a panic outside a converter.
func (h *handler) panicked(w http.ResponseWriter, r *http.Request, value any) {
	h.Metrics.panics.Inc()
	h.Logger.LogAttrs(r.Context(), slog.LevelError, "panic while answering", panicAttrs(value, debug.Stack())...)
	(&httpError{
		status:   http.StatusInternalServerError,
		sentence: "Crosswalk panicked; its log has the details",
		close:    true,
	}).write(w)
}
