package webhook

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestLongConversion: the log names the object whose conversion takes more than a second,
// once, and tells nothing of its content.
func TestLongConversion(t *testing.T) {
	giant := strings.Replace(star, `"name":"sol"`, `"name":"betelgeuse","annotations":{"note":"a secret"}`, 1)
	long := `level=WARN msg="a conversion took long" seconds=1.001 crd=stars.sky.dev namespace=milkyway name=betelgeuse bytes=` +
		strconv.Itoa(len(giant)) + ` from=v1beta1 to=v1 table=0123abcd unplaced=7 uid=u-1`
	for _, test := range []struct {
		name    string
		took    time.Duration
		objects []string
		ends    func(cancel func()) ([]byte, error)
		want    []string
	}{
		{"a second", time.Second, []string{giant}, nil, nil},
		{"longer", 1001 * time.Millisecond, []string{giant}, nil, []string{long}},
		{"longer, among others", 1001 * time.Millisecond, []string{star, star, giant, star}, nil, []string{long}},
		{"it fails", 1001 * time.Millisecond, []string{giant}, func(func()) ([]byte, error) { return nil, errors.New("no") },
			[]string{long, `level=WARN msg="an object could not be converted" reason=no uid=u-1`}},
		{"nobody waits any more", 1001 * time.Millisecond, []string{giant}, func(cancel func()) ([]byte, error) {
			cancel()
			return nil, context.Canceled
		}, []string{long}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := time.Unix(0, 0)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			registry := prometheus.NewRegistry()
			metrics := NewMetrics(registry)
			tables := loaded(t, metrics, func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error) {
				if !bytes.Contains(object, []byte("betelgeuse")) {
					clock = clock.Add(400 * time.Millisecond) // four take longer together
					return rename(dst, object, to, notes)
				}
				clock = clock.Add(test.took)
				notes.Unplaced += 7
				if test.ends != nil {
					return test.ends(cancel)
				}
				return rename(dst, object, to, notes)
			})
			var log bytes.Buffer
			h := NewHandler(Options{
				Tables: tables, Metrics: metrics, Now: func() time.Time { return clock },
				Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}})),
			})
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/convert", strings.NewReader(review1(test.objects...)))
			r.Header.Set("Content-Type", "application/json")
			do(h, r)
			want := strings.Join(append(test.want, ""), "\n")
			if log.String() != want {
				t.Errorf("log\n got %s\nwant %s", log.String(), want)
			}
			slow := ""
			if strings.Contains(want, "took long") {
				slow = "crosswalk_conversion_slow_total{crd=\"stars.sky.dev\"} 1\n"
			}
			if got := counted(t, registry, "crosswalk_conversion_slow_total"); got != slow {
				t.Errorf("counted %q, want %q", got, slow)
			}
		})
	}
}
