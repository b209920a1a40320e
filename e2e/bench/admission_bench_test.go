package bench

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
)

// What the project wants to reach at least, in throughput of controller-runtime.
const (
	wantAdmission    = 4 // the handlers alone
	wantAdmissionTLS = 3 // over TLS, client and server on the same processors
)

// BenchmarkAdmission compares a policy of ten rules with a typed validator of the
// same rules in Go, on an object of 10 kB. It fails where Crosswalk is not as much
// better as it has to be with rules about fields. What goes over a long list is told,
// too: that costs CEL more than Go.
func BenchmarkAdmission(b *testing.B) {
	content := write(10000, "localhost")
	var table []string
	for _, rules := range []struct {
		name string
		all  bool
	}{{"fields", false}, {"list", true}} {
		ours, theirs := ourValidator(b, rules.all), theirValidator(b, rules.all)
		sameVerdict(b, ours, theirs)
		for _, way := range []struct {
			name    string
			want    float64
			measure func(b *testing.B, name string, h http.Handler, path string, content []byte) measured
		}{{"handler", wantAdmission, measure}, {"tls", wantAdmissionTLS, measureTLS}} {
			name := rules.name + "/" + way.name
			var peer, mine measured
			for range rounds {
				peer = peer.best(way.measure(b, name+"/controller-runtime", theirs, "/validate", content))
				mine = mine.best(way.measure(b, name+"/crosswalk", ours, ourValidatorPath, content))
			}
			if peer == (measured{}) || mine == (measured{}) {
				continue // not chosen by -bench
			}
			faster := peer.nanoseconds / mine.nanoseconds
			table = append(table, fmt.Sprintf("%-15s %6.1f µs against %6.1f µs, %4.1f times the throughput", name+":", mine.nanoseconds/1e3, peer.nanoseconds/1e3, faster))
			if faster < way.want && !rules.all {
				b.Errorf("%s: %.1f times the throughput, want %.0f", name, faster, way.want)
			}
		}
	}
	fmt.Printf("\nTen rules on 10 kB, Crosswalk against controller-runtime:\n")
	for _, line := range table {
		fmt.Println(line)
	}
	fmt.Println()
}

// measureTLS posts to a handler behind TLS, over as many connections as there are
// processors, as the API server does: HTTP/1.1, kept alive.
func measureTLS(b *testing.B, name string, h http.Handler, path string, content []byte) measured {
	var m measured
	b.Run(name, func(b *testing.B) {
		server := httptest.NewUnstartedServer(h)
		server.EnableHTTP2 = false
		server.StartTLS()
		defer server.Close()
		client := server.Client()
		client.Transport.(*http.Transport).TLSClientConfig.MinVersion = tls.VersionTLS13
		client.Transport.(*http.Transport).MaxIdleConnsPerHost = 16
		b.SetBytes(int64(len(content)))
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				response, err := client.Post(server.URL+path+"?timeout=10s", "application/json", bytes.NewReader(content))
				if err != nil {
					b.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
					b.Errorf("%d, %v", response.StatusCode, err)
				}
				_ = response.Body.Close()
			}
		})
		m.nanoseconds = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	return m
}

// sameVerdict makes sure that both judge, and alike.
func sameVerdict(tb testing.TB, ours, theirs http.Handler) {
	tb.Helper()
	for host, want := range map[string]bool{"localhost": true, "": true} {
		content := write(10000, host)
		for _, broken := range []bool{false, true} {
			if broken {
				content = bytes.Replace(content, []byte(`"replicas":3}`), []byte(`"replicas":30}`), 1)
				want = false
			}
			for name, h := range map[string]http.Handler{ourValidatorPath: ours, "/validate": theirs} {
				e := newExchange(h, name, content)
				e.keep = true
				e.post()
				review := new(admissionv1.AdmissionReview)
				if err := json.Unmarshal(e.answer, review); err != nil || e.status != http.StatusOK {
					tb.Fatalf("%s answered %d %.500s: %v", name, e.status, e.answer, err)
				}
				if review.Response.Allowed != want {
					tb.Errorf("%s: allowed: %v, want %v: %.500s", name, review.Response.Allowed, want, e.answer)
				}
			}
		}
	}
}

// TestSameVerdicts keeps the two comparable when nobody measures.
func TestSameVerdicts(t *testing.T) {
	for _, all := range []bool{false, true} {
		sameVerdict(t, ourValidator(t, all), theirValidator(t, all))
	}
}
