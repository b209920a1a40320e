package webhook

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/common/expfmt"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// counted are the series of registry that are not zero, without help and types.
func counted(t *testing.T, registry *prometheus.Registry, names ...string) string {
	t.Helper()
	text, err := testutil.CollectAndFormat(registry, expfmt.TypeTextPlain, names...)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, " 0\n") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func TestMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	clock := time.Unix(0, 0)
	tables := loaded(t, metrics, func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error) {
		clock = clock.Add(time.Second) // every conversion takes one
		if testutil.ToFloat64(metrics.inFlight) != 1 {
			t.Error("the request is not in flight")
		}
		notes.Residuals, notes.IgnoredStashes, notes.LeftOut = notes.Residuals+2, notes.IgnoredStashes+1, notes.LeftOut+3
		notes.Unplaced += 4
		switch {
		case strings.Contains(string(object), "boom"):
			panic("boom")
		case strings.Contains(string(object), "bad"):
			return dst, errors.New("bad")
		}
		return rename(dst, object, to, nil)
	})
	h := NewHandler(Options{Tables: tables, Metrics: metrics, Now: func() time.Time { return clock }})
	with := func(word string) string { return strings.Replace(star, "sol", word, 1) }
	post(t, h, "/convert", review1(star, star))
	post(t, h, "/convert", review1(star, with("bad"), star))
	post(t, h, "/convert", review1(with("boom")))
	post(t, h, "/convert", review1(strings.Replace(star, "v1beta1", "v7", 1)))
	post(t, h, "/convert", review1(`{"kind":"Star"}`))
	post(t, h, "/convert", "{")
	post(t, h, "/convert/0123abcd", review1(star))
	post(t, h, "/convert/ffff", review1(star))
	post(t, h, "/elsewhere", "")
	do(h, httptest.NewRequest(http.MethodGet, "/convert", nil))

	const want = `crosswalk_conversion_ignored_stashes_total{crd="stars.sky.dev"} 6
crosswalk_conversion_left_out_total{crd="stars.sky.dev"} 18
crosswalk_conversion_objects_total{crd="stars.sky.dev",from="other",result="success",to="v1"} 2
crosswalk_conversion_objects_total{crd="stars.sky.dev",from="v1beta1",result="failure",to="v1"} 2
crosswalk_conversion_objects_total{crd="stars.sky.dev",from="v1beta1",result="success",to="v1"} 4
crosswalk_conversion_residuals_total{crd="stars.sky.dev"} 12
crosswalk_conversion_unplaced_total{crd="stars.sky.dev"} 24
crosswalk_http_requests_total{code="2xx",route="/convert"} 5
crosswalk_http_requests_total{code="2xx",route="/convert/{fingerprint}"} 1
crosswalk_http_requests_total{code="4xx",route="/convert"} 1
crosswalk_http_requests_total{code="4xx",route="other"} 2
crosswalk_http_requests_total{code="5xx",route="/convert/{fingerprint}"} 1
crosswalk_panics_total 1
`
	got := counted(t, registry, "crosswalk_conversion_ignored_stashes_total", "crosswalk_conversion_left_out_total",
		"crosswalk_conversion_objects_total", "crosswalk_conversion_residuals_total", "crosswalk_conversion_unplaced_total", "crosswalk_http_requests_total",
		"crosswalk_http_requests_in_flight", "crosswalk_panics_total")
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	durations := counted(t, registry, "crosswalk_http_request_duration_seconds", "crosswalk_conversion_duration_seconds")
	for _, line := range []string{
		`http_request_duration_seconds_sum{route="/convert"} 7`,
		`http_request_duration_seconds_count{route="/convert/{fingerprint}"} 2`,
		`http_request_duration_seconds_bucket{route="other",le="1"} 2`,
		`conversion_duration_seconds_sum{crd="stars.sky.dev"} 8`,
		`conversion_duration_seconds_bucket{crd="stars.sky.dev",le="1"} 8`,
	} {
		if !strings.Contains(durations, "crosswalk_"+line+"\n") {
			t.Errorf("no %s in\n%s", line, durations)
		}
	}
}

// TestMetricsForget: a CRD that is gone leaves no series behind, and one that
// stays keeps its numbers.
func TestMetricsForget(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	tables := loaded(t, metrics, rename)
	post(t, NewHandler(Options{Tables: tables, Metrics: metrics}), "/convert", review1(star))
	if err := tables.Replace([]Converter{&fake{rename}}); err != nil {
		t.Fatal(err)
	}
	if got := counted(t, registry, "crosswalk_conversion_objects_total"); !strings.HasSuffix(got, " 1\n") {
		t.Errorf("the count is gone: %q", got)
	}
	if err := tables.Replace(nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"objects_total", "duration_seconds", "slow_total", "residuals_total", "ignored_stashes_total", "left_out_total", "unplaced_total"} {
		if n, err := testutil.GatherAndCount(registry, "crosswalk_conversion_"+name); err != nil || n != 0 {
			t.Errorf("%d series of %s are left, %v", n, name, err)
		}
	}
}

func TestCertificateMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	var from, to time.Time
	NewMetrics(registry).WatchCertificate(func() (time.Time, time.Time) { return from, to })
	for _, want := range []string{"", "crosswalk_certificate_expiry_timestamp_seconds 1.5e+09\ncrosswalk_certificate_start_timestamp_seconds 1.4e+09\n"} {
		if got := counted(t, registry, "crosswalk_certificate_start_timestamp_seconds", "crosswalk_certificate_expiry_timestamp_seconds"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		from, to = time.Unix(1_400_000_000, 0), time.Unix(1_500_000_000, 0)
	}
}
