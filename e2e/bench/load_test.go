package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What one replica has to stand, on the processors of whoever asks.
const (
	callsPerSecond = 2000
	loadFor        = time.Minute
	wantP99        = 10 * time.Millisecond
)

// BenchmarkAdmissionLoad asks for a verdict on 10 kB at a fixed rate over TLS,
// whether or not the answers keep up, and tells how long they took, counted from
// when each was due. It fails where one is missing or they are too slow.
func BenchmarkAdmissionLoad(b *testing.B) {
	server := httptest.NewUnstartedServer(ourValidator(b, true))
	server.EnableHTTP2 = false
	server.StartTLS()
	defer server.Close()
	const connections = 32
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = connections
	content := write(10000, "localhost")
	calls := int(callsPerSecond * loadFor.Seconds())
	took := make([]time.Duration, calls)
	var next, failed atomic.Int64
	var workers sync.WaitGroup
	for b.Loop() {
		next.Store(0)
		start := time.Now()
		for range connections {
			workers.Go(func() {
				for {
					i := int(next.Add(1)) - 1
					if i >= calls {
						return
					}
					due := start.Add(time.Duration(i) * time.Second / callsPerSecond)
					time.Sleep(time.Until(due))
					if err := judge(client, server.URL, content); err != nil {
						failed.Add(1)
					}
					took[i] = time.Since(due)
				}
			})
		}
		workers.Wait()
	}
	slices.Sort(took)
	p50, p99 := took[calls/2], took[calls*99/100]
	fmt.Printf("\n%d calls a second for %v: p50 %v, p99 %v, longest %v, %d failed\n\n", callsPerSecond, loadFor, p50, p99, took[calls-1], failed.Load())
	if failed.Load() > 0 || p99 > wantP99 {
		b.Errorf("want p99 below %v and no failure", wantP99)
	}
}

func judge(client *http.Client, server string, content []byte) error {
	response, err := client.Post(server+ourValidatorPath+"?timeout=10s", "application/json", bytes.NewReader(content))
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"allowed":true`))) {
		err = fmt.Errorf("answered %d", response.StatusCode)
	}
	return err
}
