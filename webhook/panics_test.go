package webhook

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

type panics struct{}

func (panics) Read([]byte) (int, error) {
	var none []byte
	_ = none[len(none)] // a runtime error, whose text is safe to log
	return 0, nil
}

// TestPanicBeforeTheReview: without a uid there is no review to answer with.
func TestPanicBeforeTheReview(t *testing.T) {
	var log bytes.Buffer
	metrics := NewMetrics(nil)
	h := NewHandler(Options{Tables: loaded(t, metrics, rename), Metrics: metrics, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	r := httptest.NewRequest(http.MethodPost, "/convert", panics{})
	r.Header.Set("Content-Type", "application/json")
	do(h, r).refused(t, http.StatusInternalServerError, "Crosswalk panicked; its log has the details")
	if n := testutil.ToFloat64(metrics.panics); n != 1 {
		t.Errorf("%v panics counted", n)
	}
	if !strings.Contains(log.String(), "index out of range [0] with length 0") {
		t.Errorf("the log does not say what happened:\n%s", log.String())
	}
	post(t, h, "/convert", review1(star)).expect(t, http.StatusOK, success(starV1))
}
