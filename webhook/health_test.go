package webhook

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func TestHealth(t *testing.T) {
	registry := prometheus.NewRegistry()
	NewMetrics(registry)
	readiness := NewReadiness()
	tables := NewTables(nil)
	var certificate error
	readiness.Add("tables", tables.Check)
	readiness.Add("certificate", func() error { return certificate })
	h := NewHealthHandler(readiness, registry)
	get := func(path string) reply { return do(h, httptest.NewRequest(http.MethodGet, path, nil)) }

	get("/livez").expect(t, 200, "ok\n")
	get("/readyz").expect(t, 503, "not ready: tables\n")
	get("/readyz?verbose").expect(t, 503, "[+]draining ok\n[-]tables failed: no tables are loaded yet\n[+]certificate ok\nnot ready: tables\n")
	certificate = errors.New("the certificate expired on 2026-01-01T00:00:00Z")
	get("/readyz").expect(t, 503, "not ready: tables, certificate\n")
	certificate = nil
	if err := tables.Replace(nil); err != nil {
		t.Fatal(err)
	}
	get("/readyz").expect(t, 200, "ok\n")
	get("/readyz?verbose").expect(t, 200, "[+]draining ok\n[+]tables ok\n[+]certificate ok\nok\n")
	if got := get("/metrics"); got.status != 200 || !strings.Contains(got.body, "\ncrosswalk_panics_total 0\n") {
		t.Errorf("metrics: %d %s", got.status, got.body)
	}
	readiness.Drain()
	get("/readyz?verbose").expect(t, 503, "[-]draining failed: the process is shutting down\n[+]tables ok\n[+]certificate ok\nnot ready: draining\n")
	get("/livez").expect(t, 200, "ok\n")

	get("/convert").expect(t, 404, "404 page not found\n")
	do(h, httptest.NewRequest(http.MethodPost, "/livez", nil)).expect(t, 405, "")
	do(h, httptest.NewRequest(http.MethodHead, "/livez", nil)).expect(t, 200, "ok\n") // net/http cuts it
}
