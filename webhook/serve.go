package webhook

import (
	"log/slog"
	"net/http"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/webhook/internal/memory"
)

// answer writes a review, or fails with the error to answer instead.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, want wanted) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	x, size := h.exchanges.get(), 0
	x.front = h.front
	x.peer.join(h.memory, w)
	defer func() {
		x.peer.leave()
		x.output.end()
		h.exchanges.put(x, size)
	}()
	if err := h.wait(&x.peer, r); err != nil {
		return err
	}
	body, err := h.receive(&x.peer, r, h.MaxBodyBytes, h)
	if err != nil {
		return err
	}
	size = len(body.bytes)
	err = h.work(x, r, body, want)
	h.buffers.put(body)
	if err != nil {
		return err
	}
	if t := x.pair.table; want.compiled != "" && t != nil {
		if at := t.unplaced.Load(); at > 0 {
			w.Header().Set(unplacedHeader, strconv.FormatInt(max(0, x.front.now().Unix()-at), 10))
		}
	}
	return h.send(&x.peer, &x.output)
}

// wait waits until there is room for a larger review. Nothing of the review has been read yet.
func (h *handler) wait(p *peer, r *http.Request) error {
	if r.ContentLength <= memory.Small || r.ContentLength > h.MaxBodyBytes {
		return nil
	}
	if err := p.share.Wait(r.Context(), int64(h.need(int(r.ContentLength)))); err != nil {
		return h.memory.refuse(err, true)
	}
	return nil
}

// need returns how much memory a larger review of n bytes takes, before its objects are known.
func (h *handler) need(n int) int {
	return heldFor(h.buffers.size(n)) + roomForWork(n) + roomForAnswer(n)
}

// work makes the answer to the review in body. Larger reviews take turns.
func (h *handler) work(x *exchange, r *http.Request, body *buffer, want wanted) error {
	src := body.bytes
	if len(src) > memory.Small {
		if err := h.turns.take(r.Context()); err != nil {
			return errGone
		}
		defer h.turns.give()
	}
	if err := x.decoder.decode(src, &x.review); err != nil {
		return err
	}
	x.held = heldFor(cap(src)) + x.review.work()
	if err := x.holdAnswer(roomForAnswer(len(src))); err != nil {
		return err
	}
	x.output.begin(&h.buffers, len(src))
	fail, err := x.convert(r.Context(), src, h.Tables.snapshot(), want)
	if err == errGone {
		return err
	}
	if fail != nil || err != nil {
		// An object was not converted, so neither it nor the rest of the body was validated. A
		// body that is not JSON is the first error to report.
		if malformed := x.decoder.validate(src); malformed != nil {
			return malformed
		}
	}
	if err != nil {
		return err
	}
	if fail != nil {
		h.failed(r, x, src, fail)
		x.output.restart()
		x.output.tail.bytes = appendFailure(x.output.tail.bytes, x.review.version, x.review.uid.Bytes(src), fail.message)
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
