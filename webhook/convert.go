package webhook

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// exchange holds the state for answering one review. Exchanges are reused.
type exchange struct {
	peer    peer
	decoder decoder
	review  review
	notes   conversion.Notes
	output  output
	// held is the memory of the body and of the work on it, in bytes. answer is the memory of
	// the answer.
	held, answer int
	// front has the clock and the log, and last is when the previous object was finished.
	front *front
	last  time.Time
	// pair caches the table and the counters of the previous object: in a list they are the
	// same for nearly all objects.
	pair struct {
		kind, apiVersion []byte
		table            *table
		counters         *pairCounters
	}
}

// failure explains why one object of a review was not converted.
type failure struct {
	message string
	// panicked is the value of a panic, and stack is where it happened.
	panicked any
	stack    []byte
}

// convert writes the answer to body's review, whose positions are in the exchange. It returns a
// failure if the answer must be a Failure review, and an error if the answer cannot be a
// review.
func (x *exchange) convert(ctx context.Context, body []byte, loaded snapshot, want wanted) (*failure, error) {
	rev, out := &x.review, &x.output
	out.tail.bytes = appendSuccessHead(out.tail.bytes, rev.version, rev.uid.Bytes(body))
	x.last = x.front.now()
	rested := x.last
	for i := range rev.objects {
		if x.last.Sub(rested) > time.Millisecond {
			if ctx.Err() != nil {
				return nil, errGone
			}
			runtime.Gosched() // small reviews must not wait for the end of a large one
			x.last = x.front.now()
			rested = x.last
		}
		span := rev.objects[i].span
		out.next(int(span.End-span.Start), len(body)-int(span.Start))
		if i > 0 {
			out.tail.bytes = append(out.tail.bytes, ',')
		}
		var (
			fail *failure
			err  error
		)
		if out.tail.bytes, fail, err = x.object(ctx, out.tail.bytes, body, i, loaded, want); fail != nil || err != nil {
			return fail, err
		}
		if size := x.output.size(); size > x.answer {
			if err := x.holdAnswer(size); err != nil {
				return nil, err
			}
		}
	}
	out.tail.bytes = appendSuccessTail(out.tail.bytes)
	return nil, nil
}

// holdAnswer reserves the memory for an answer of n bytes, besides the memory of the body and
// of the work on it.
func (x *exchange) holdAnswer(n int) error {
	err := x.peer.hold(x.held + n)
	if err == nil {
		x.answer = n
	}
	return err
}

// object appends the i-th object, converted.
func (x *exchange) object(ctx context.Context, dst, body []byte, i int, loaded snapshot, want wanted) ([]byte, *failure, error) {
	e := &x.review.objects[i]
	if problem := e.problem(body); problem != "" {
		return dst, &failure{message: fmt.Sprintf("request.objects[%d] %s", i, problem)}, nil
	}
	if err := x.find(e, body, loaded, want); err != nil {
		return dst, nil, err
	}
	start := len(dst)
	dst, fail := x.call(ctx, dst, e, body)
	x.timed(ctx, e, body)
	if fail != nil && fail.panicked == nil && ctx.Err() != nil {
		return dst, nil, errGone
	}
	if fail == nil {
		var err error
		if dst, err = withMetadata(&x.decoder.scanner, dst, start); err != nil {
			fail = &failure{message: x.explain(e, body, err.Error())}
		}
	}
	if fail != nil {
		x.pair.counters.failure.Inc()
		return dst, fail, nil
	}
	x.pair.counters.success.Inc()
	return dst, nil, nil
}

// find sets x.pair for e. It fails with an *httpError if no table is loaded that could convert
// e. A replica that cannot serve yet must make the API server try again, and a Failure review
// would be final.
func (x *exchange) find(e *element, body []byte, loaded snapshot, want wanted) error {
	kind, apiVersion := e.kind.Bytes(body), e.apiVersion.Bytes(body)
	p := &x.pair
	if p.table != nil && bytes.Equal(p.kind, kind) && bytes.Equal(p.apiVersion, apiVersion) {
		return nil
	}
	t, err := x.table(e, body, loaded, want)
	if err != nil {
		return err
	}
	p.kind, p.apiVersion, p.table = kind, apiVersion, t
	p.counters = t.counters.pair(versionOf(e, body), x.review.desired)
	return nil
}

// table returns the table for e.
func (x *exchange) table(e *element, body []byte, loaded snapshot, want wanted) (*table, error) {
	rev := &x.review
	tables := loaded.find(rev.group, text(body, e.kind))
	if tables == nil || want.fingerprint == "" && tables.current == nil {
		return nil, notLoaded(fmt.Sprintf("no table is loaded yet for kind %.64s of group %.253s", text(body, e.kind), rev.group))
	}
	t := tables.with(want.fingerprint)
	if t == nil {
		known := tables.all()[0]
		return nil, notLoaded(fmt.Sprintf("the table with the fingerprint in the path is not loaded yet; %s has %s", known.Name(), known.fingerprint))
	}
	if want.compiled != "" && want.compiled != t.compiled {
		return nil, notLoaded(fmt.Sprintf("this replica compiles the table in the path to %s instead of %.64s, so it is another release of crosswalk, or a build in which a function of the table has another revision; run serve and manage with the same build",
			t.compiled, want.compiled))
	}
	// A CRD gets a new version before it is armed with a table that has the version. A version
	// that the table has retired is requested because of an object's managedFields, or a rule
	// of a policy or a webhook.
	if want.fingerprint != "" && t.counters.index(rev.desired) == len(t.counters.versions) {
		return nil, notLoaded(fmt.Sprintf("the table in the path does not convert %s to %.63s: if the version is new, see kubectl describe crosswalk %s; if the table has retired it, run crosswalk migrate %s, and remove the version from the rules of policies and webhooks",
			t.Name(), rev.desired, t.Name(), t.Name()))
	}
	return t, nil
}

func notLoaded(sentence string) error {
	return &httpError{status: http.StatusServiceUnavailable, sentence: sentence, retry: true}
}

// call appends the object at e, converted, and turns a panic into a failure.
func (x *exchange) call(ctx context.Context, dst []byte, e *element, body []byte) (out []byte, fail *failure) {
	t := x.pair.table
	x.notes = conversion.Notes{} // an object that failed may have left some
	defer func() {
		if p := recover(); p != nil {
			out = dst
			fail = &failure{
				message:  x.explain(e, body, "the converter panicked; Crosswalk's log has the details"),
				panicked: p,
				stack:    debug.Stack(),
			}
		}
	}()
	out, err := t.ConvertNoting(ctx, dst, e.span.Bytes(body), x.desired(t), &x.notes)
	if err != nil {
		return dst, &failure{message: err.Error()}
	}
	if x.notes != (conversion.Notes{}) {
		t.counters.note(&x.notes)
		if x.notes.Unplaced > 0 {
			t.unplaced.Store(x.front.now().Unix())
		}
	}
	return out, nil
}

// desired returns the desired version. If the table declares the version, the string needs no
// allocation.
func (x *exchange) desired(t *table) string {
	if i := t.counters.index(x.review.desired); i < len(t.counters.versions) {
		return t.counters.versions[i]
	}
	return string(x.review.desired)
}

// versionOf returns the version in an object's apiVersion, or nil.
func versionOf(e *element, body []byte) []byte {
	if !isString(e.apiVersion, body) {
		return nil
	}
	apiVersion := text(body, e.apiVersion)
	return apiVersion[bytes.LastIndexByte(apiVersion, '/')+1:]
}

func (x *exchange) explain(e *element, body []byte, reason string) string {
	return explain(e.span.Bytes(body), string(versionOf(e, body)), string(x.review.desired), reason)
}

func isString(span jsontext.Span, body []byte) bool {
	return span.End > 0 && body[span.Start] == '"'
}
