package webhook

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// TestDeadline: a review ends when the API server stops waiting.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := asked(t, Options{}, judge(func(ctx context.Context, _ *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		for query, want := range map[string]time.Duration{"timeout=10s": 10 * time.Second, "timeout=1m30s": 90 * time.Second, "a=b&timeout=3s": 3 * time.Second} {
			start := time.Now()
			post(t, h, "/validate/stars?"+query, admissionUpdate).refused(t, http.StatusGatewayTimeout,
				"validate/stars did not answer within the "+want.String()+" that the API server waits")
			if took := time.Since(start); took != want {
				t.Errorf("%s: took %v", query, took)
			}
		}
	})
}

// slow is a body that takes its time.
type slow struct {
	*strings.Reader
	takes time.Duration
}

func (s slow) Read(p []byte) (int, error) {
	time.Sleep(s.takes)
	return s.Reader.Read(p)
}

// TestDeadlineInTheBody: nobody is asked when there is no time left.
func TestDeadlineInTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := asked(t, Options{}, judge(func(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			t.Error("asked")
			return nil, nil
		}))
		r := httptest.NewRequest(http.MethodPost, "/validate/stars?timeout=1s", slow{strings.NewReader(admissionUpdate), time.Second})
		r.Header.Set("Content-Type", "application/json")
		do(h, r).refused(t, http.StatusGatewayTimeout, "validate/stars did not answer within the 1s that the API server waits")
	})
}

// TestNoDeadline: what was judged in time is answered, and without a timeout there
// is no deadline.
func TestNoDeadline(t *testing.T) {
	h := asked(t, Options{}, judge(func(ctx context.Context, _ *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		_, has := ctx.Deadline()
		return &validation.Verdict{Warnings: map[bool][]string{true: {"deadline"}}[has]}, nil
	}))
	for query, want := range map[string]bool{"": false, "?a=b": false, "?timeout=10s": true} {
		if got := decodeReview(t, post(t, h, "/validate/stars"+query, admissionUpdate).body); (len(got.Response.Warnings) > 0) != want {
			t.Errorf("%q: %+v", query, got.Response)
		}
	}
}

// TestAdmissionClientGone: there is nobody to answer.
func TestAdmissionClientGone(t *testing.T) {
	registry := prometheus.NewRegistry()
	ctx, cancel := context.WithCancel(t.Context())
	h := asked(t, Options{Metrics: NewMetrics(registry)}, judge(func(ctx context.Context, _ *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		cancel()
		return nil, ctx.Err()
	}))
	r := httptest.NewRequest(http.MethodPost, "/validate/stars?timeout=10s", strings.NewReader(admissionUpdate)).WithContext(ctx)
	r.Header.Set("Content-Type", "application/json")
	if got := do(h, r); got.status != http.StatusServiceUnavailable || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got, want := counted(t, registry, "crosswalk_http_requests_total"), `crosswalk_http_requests_total{code="none",route="/validate/{name}"} 1`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReviewerPanics: a defect of a reviewer is a defect, and the process lives.
func TestReviewerPanics(t *testing.T) {
	var log bytes.Buffer
	metrics := NewMetrics(nil)
	h := asked(t, Options{Metrics: metrics, Logger: slog.New(slog.NewTextHandler(&log, nil))},
		judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
			if r.Operation == admissionv1.Update {
				panic("a secret of " + string(r.Object.Raw))
			}
			return nil, nil
		}))
	post(t, h, "/mutate/stars", admissionUpdate).refused(t, http.StatusInternalServerError,
		"mutate/stars could not evaluate the request: the reviewer panicked; Crosswalk's log has the details")
	if n := testutil.ToFloat64(metrics.panics); n != 1 {
		t.Errorf("%v panics counted", n)
	}
	for _, want := range []string{"panic while reviewing a request", "webhook=mutate/stars", "uid=u-1", "panic=string", "admission_trouble_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "secret") || strings.Contains(log.String(), "mass") {
		t.Errorf("the log holds the object:\n%s", log.String())
	}
	if got := post(t, h, "/mutate/stars", with("UPDATE", "CREATE")); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestAdmissionLog: who denied what, with the fields, and without what is in them.
func TestAdmissionLog(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	h := asked(t, Options{Logger: logger}, judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if r.SubResource == "status" {
			return nil, errors.New("no idea")
		}
		return &validation.Verdict{Causes: []validation.Cause{{Field: "spec.mass", Message: "2 is secret"}, {Message: "so is all"}, {Field: "spec.b"}}}, nil
	}))
	post(t, h, "/validate/stars", admissionUpdate)
	post(t, h, "/validate/stars", with(`"operation"`, `"subResource":"status","operation"`))
	const want = `level=INFO msg="denied a request" webhook=validate/stars operation=UPDATE resource=stars.v1.sky.dev namespace=milkyway name=sol uid=u-1 fields="spec.mass, , spec.b"
level=WARN msg="refused a request" status=500 reason="validate/stars could not evaluate the request: no idea" remote=192.0.2.1:1234 webhook=validate/stars operation=UPDATE resource=stars.v1.sky.dev/status namespace=milkyway name=sol uid=u-1
`
	if log.String() != want {
		t.Errorf("\n got %s\nwant %s", log.String(), want)
	}
}

func TestAdmissionMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	clock := time.Unix(0, 0)
	reviewers := NewReviewers(metrics)
	set := map[string]validation.Reviewer{"stars": judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if testutil.ToFloat64(metrics.inFlight) != 1 {
			t.Error("the request is not in flight")
		}
		switch r.Name {
		case "bad":
			return &validation.Verdict{Causes: []validation.Cause{{}}}, nil
		case "broken":
			return nil, errors.New("broken")
		case "boom":
			panic("boom")
		}
		return nil, nil
	}), "planets": says(validation.Verdict{Object: []byte("x")})}
	if err := reviewers.Replace(set, set); err != nil {
		t.Fatal(err)
	}
	h := NewAdmissionHandler(Options{Reviewers: reviewers, Metrics: metrics, Now: func() time.Time {
		clock = clock.Add(time.Second) // a request takes three, its review one
		return clock
	}})
	named := func(name string) string { return with(`"name":"sol","namespace"`, `"name":"`+name+`","namespace"`) }
	for _, name := range []string{"good", "bad", "broken", "boom", "good"} {
		post(t, h, "/validate/stars", named(name))
	}
	post(t, h, "/mutate/stars", named("good"))
	post(t, h, "/mutate/planets", named("good"))
	post(t, h, "/validate/moons", named("good"))
	post(t, h, "/validate/stars", "{")
	const want = `crosswalk_admission_verdicts_total{phase="mutate",verdict="allowed",webhook="stars"} 1
crosswalk_admission_verdicts_total{phase="mutate",verdict="error",webhook="planets"} 1
crosswalk_admission_verdicts_total{phase="validate",verdict="allowed",webhook="stars"} 2
crosswalk_admission_verdicts_total{phase="validate",verdict="denied",webhook="stars"} 1
crosswalk_admission_verdicts_total{phase="validate",verdict="error",webhook="stars"} 2
crosswalk_http_requests_total{code="2xx",route="/mutate/{name}"} 1
crosswalk_http_requests_total{code="2xx",route="/validate/{name}"} 3
crosswalk_http_requests_total{code="4xx",route="/validate/{name}"} 1
crosswalk_http_requests_total{code="5xx",route="/mutate/{name}"} 1
crosswalk_http_requests_total{code="5xx",route="/validate/{name}"} 3
crosswalk_panics_total 1
`
	names := []string{"crosswalk_admission_verdicts_total", "crosswalk_http_requests_total", "crosswalk_panics_total"}
	if got := counted(t, registry, names...); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	durations := counted(t, registry, "crosswalk_admission_review_duration_seconds", "crosswalk_http_request_duration_seconds")
	for _, line := range []string{`admission_review_duration_seconds_sum{phase="validate",webhook="stars"} 5`,
		`http_request_duration_seconds_sum{route="/mutate/{name}"} 6`} {
		if !strings.Contains(durations, "crosswalk_"+line+"\n") {
			t.Errorf("no %s in\n%s", line, durations)
		}
	}

	// A removed reviewer leaves no series behind, and one that stays keeps its numbers.
	if err := reviewers.Replace(map[string]validation.Reviewer{"stars": says(validation.Verdict{})}, nil); err != nil {
		t.Fatal(err)
	}
	const left = `crosswalk_admission_verdicts_total{phase="validate",verdict="allowed",webhook="stars"} 2
crosswalk_admission_verdicts_total{phase="validate",verdict="denied",webhook="stars"} 1
crosswalk_admission_verdicts_total{phase="validate",verdict="error",webhook="stars"} 2
`
	if got := counted(t, registry, "crosswalk_admission_verdicts_total"); got != left {
		t.Errorf("\n got %s\nwant %s", got, left)
	}
	if n, err := testutil.GatherAndCount(registry, "crosswalk_admission_review_duration_seconds"); err != nil || n != 1 {
		t.Errorf("%d series are left, %v", n, err)
	}
}
