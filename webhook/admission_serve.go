package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// answer writes a review, or fails with the error to answer instead.
func (a *admission) answer(w http.ResponseWriter, r *http.Request, phase phase, path string) error {
	if err := checkMediaType(r.Header); err != nil {
		return err
	}
	asked := strings.TrimPrefix(r.URL.Path, path)
	reviewer, err := a.Reviewers.find(phase, asked)
	if err != nil {
		return err
	}
	reviewer, err = a.Reviewers.probed(reviewer, phase, asked, r.URL.RawQuery)
	if err != nil {
		return err
	}
	ctx := r.Context()
	if a.Knows(r) {
		ctx = validation.WithKnownCaller(ctx)
	}
	timeout, err := timeoutOf(r)
	if err != nil {
		return err
	}
	if timeout > 0 { // measured from here: the API server sends the body with the headers
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	x, size := a.exchanges.get(), 0
	x.peer.join(a.memory, w)
	defer func() {
		x.peer.leave()
		x.output.end()
		a.exchanges.put(x, size)
	}()
	body, err := a.receive(&x.peer, r, a.MaxAdmissionBytes, a)
	if err != nil {
		return err
	}
	size = len(body.bytes)
	err = a.work(ctx, x, body, reviewer, timeout)
	a.buffers.put(body)
	if err != nil {
		return err
	}
	a.denied(r.Context(), x, reviewer)
	return a.send(&x.peer, &x.output)
}

// work makes the answer to the review in body.
//
// Unlike conversions, large reviews do not wait for a turn here: a review that looks up an
// object would wait for the conversion of that object, which would wait for its own turn.
func (a *admission) work(ctx context.Context, x *admissionExchange, body *buffer, reviewer *namedReviewer, timeout time.Duration) error {
	src := body.bytes
	held := a.need(len(src))
	if err := x.peer.hold(held); err != nil {
		return err
	}
	if err := x.decoder.decode(src, &x.review); err != nil {
		return err
	}
	if err := a.review(ctx, x, reviewer, timeout); err != nil {
		return err
	}
	x.output.begin(&a.buffers, len(x.patch)*4/3+512)
	x.output.tail.bytes = x.appendAnswer(x.output.tail.bytes, src)
	return x.peer.hold(max(held, x.output.size()))
}

// need is how much memory a review of n bytes takes.
func (a *admission) need(n int) int { return heldFor(a.buffers.size(n)) + n*workPerByte }

// review asks the reviewer, and counts its verdict. It fails with an *httpError if there is no
// verdict. The API server then follows the failurePolicy of the webhook.
func (a *admission) review(ctx context.Context, x *admissionExchange, reviewer *namedReviewer, timeout time.Duration) error {
	start := a.now()
	err := a.call(ctx, x, reviewer)
	if err == nil && reviewer.phase == mutating && x.verdict.Allowed() && x.verdict.Object != nil {
		err = x.diff()
	}
	allowed := err == nil && x.verdict.Allowed()
	reviewer.counters.done(allowed, err, a.now().Sub(start))
	if err == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return errGone
	}
	refused := &httpError{
		status:   http.StatusInternalServerError,
		sentence: fmt.Sprintf("%v could not evaluate the request: %v", reviewer, err),
		attrs:    requestAttrs(reviewer, x.review.request),
	}
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		refused.status = http.StatusGatewayTimeout
		refused.sentence = fmt.Sprintf("%v did not answer within the %v that the API server waits", reviewer, timeout)
	case errors.Is(err, validation.ErrNotReady):
		refused.status, refused.retry = http.StatusServiceUnavailable, true
	case errors.Is(err, validation.ErrMalformed):
		refused.status = http.StatusBadRequest
	}
	return refused
}

// call asks the reviewer, and turns a panic into an error.
func (a *admission) call(ctx context.Context, x *admissionExchange, reviewer *namedReviewer) (err error) {
	request := x.review.request
	defer func() {
		if p := recover(); p != nil {
			a.metrics.panics.Inc()
			a.logger.LogAttrs(ctx, slog.LevelError, "panic while reviewing a request",
				append(requestAttrs(reviewer, request), panicAttrs(p, debug.Stack())...)...)
			err = errors.New("the reviewer panicked; Crosswalk's log has the details")
		}
	}()
	if err := ctx.Err(); err != nil { // reading the body took all the time
		return err
	}
	verdict, err := reviewer.Review(ctx, request)
	if verdict != nil {
		x.verdict = *verdict
	}
	return err
}

// denied logs a denial: the reviewer and the wrong fields. It does not log what is wrong with
// them, which only the writer needs to know.
func (a *admission) denied(ctx context.Context, x *admissionExchange, reviewer *namedReviewer) {
	if x.verdict.Allowed() || !a.logger.Enabled(ctx, slog.LevelInfo) {
		return
	}
	a.logger.LogAttrs(ctx, slog.LevelInfo, "denied a request",
		append(requestAttrs(reviewer, x.review.request), slog.String("fields", fields(x.verdict.Causes)))...)
}

// fields lists the fields of the causes.
func fields(causes []validation.Cause) string {
	var fields []string
	for _, cause := range causes[:min(len(causes), maxCauses)] {
		fields = append(fields, cause.Field)
	}
	return shorten(strings.Join(fields, ", "))
}

// requestAttrs describes a request in the log.
func requestAttrs(reviewer *namedReviewer, r *admissionv1.AdmissionRequest) []slog.Attr {
	resource := r.Resource.Resource + "." + r.Resource.Version + "." + r.Resource.Group
	if r.SubResource != "" {
		resource += "/" + r.SubResource
	}
	return []slog.Attr{
		slog.String("webhook", reviewer.String()),
		slog.String("operation", string(r.Operation)),
		slog.String("resource", shorten(resource)),
		slog.String("namespace", shorten(r.Namespace)),
		slog.String("name", shorten(r.Name)),
		slog.String("uid", shortUID([]byte(r.UID))),
	}
}
