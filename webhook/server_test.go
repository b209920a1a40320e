package webhook

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestTLS(t *testing.T) {
	tests := []struct {
		name           string
		server, client uint16 // lowest of the server, highest of the client
		want           uint16 // 0 is no handshake
	}{
		{"1.3 by default", 0, tls.VersionTLS13, tls.VersionTLS13},
		{"not 1.2 by default", 0, tls.VersionTLS12, 0},
		{"1.2 if asked", tls.VersionTLS12, tls.VersionTLS12, tls.VersionTLS12},
		{"never 1.1", tls.VersionTLS12, tls.VersionTLS11, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, NewHandler(Options{Tables: loaded(t, nil, rename)}), test.server, 0)
				transport := r.webhook.Transport.(*http.Transport)
				transport.TLSClientConfig.MinVersion = tls.VersionTLS10
				transport.TLSClientConfig.MaxVersion = test.client
				got, err := ask(r.webhook, http.MethodPost, "https://host/convert", review1(star))
				switch {
				case test.want == 0 && err == nil:
					t.Errorf("a handshake with version %x", got.tls)
				case test.want != 0 && (err != nil || got.tls != test.want || got.body != success(starV1)):
					t.Errorf("got %+v, %v", got, err)
				case test.want != 0 && got.proto != "HTTP/1.1":
					t.Errorf("%s, want HTTP/2 off", got.proto)
				}
				r.stop()
				if err := <-r.stopped; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestDrain walks through the end of a server in virtual time, with a request
// in flight that outlasts the drain delay.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived := make(chan struct{})
		h := NewHandler(Options{Tables: loaded(t, nil, func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
			if to == "v1beta1" {
				close(arrived)
				time.Sleep(20 * time.Second)
			}
			return rename(dst, object, to, n)
		})})
		const drain = 10 * time.Second
		r := start(t, h, 0, drain)
		ready := func() int {
			got, err := ask(r.health, http.MethodGet, "http://host/readyz", "")
			if err != nil {
				t.Fatal(err)
			}
			return got.status
		}
		if status := ready(); status != 200 {
			t.Fatalf("readyz %d", status)
		}
		quick := func() (answer, error) { return ask(r.webhook, http.MethodPost, "https://host/convert", review1(star)) }
		if got, err := quick(); err != nil || got.close {
			t.Fatalf("before the signal: %+v, %v", got, err)
		}

		slow := make(chan answer, 1)
		go func() {
			long := `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u-1","desiredAPIVersion":"sky.dev/v1beta1","objects":[` + starV1 + `]}}`
			got, err := ask(r.webhook, http.MethodPost, "https://host/convert", long)
			if err != nil {
				t.Error(err)
			}
			slow <- got
		}()
		<-arrived
		start := time.Now()
		r.stop()
		synctest.Wait()
		if status := ready(); status != 503 {
			t.Errorf("readyz %d after the signal, want 503", status)
		}
		time.Sleep(drain - time.Second)
		got, err := quick()
		if err != nil || got.body != success(starV1) {
			t.Errorf("while draining: %+v, %v", got, err)
		}
		if !got.close {
			t.Error("while draining, the client is not asked to leave")
		}
		time.Sleep(2 * time.Second)
		if _, err := quick(); err == nil {
			t.Error("the listener is open after the drain delay")
		}
		if status := ready(); status != 503 {
			t.Errorf("readyz %d while requests finish, want 503", status)
		}
		select {
		case err := <-r.stopped:
			t.Fatalf("stopped with a request in flight: %v", err)
		default:
		}
		if got := <-slow; got.body != success(star) {
			t.Errorf("the request in flight got %+v", got)
		}
		if err := <-r.stopped; err != nil {
			t.Error(err)
		}
		// The client may have opened a connection that it never used.
		if took := time.Since(start); took < 20*time.Second || took > 26*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// TestDrainAnswersOnUnusedConnections: a client that has opened a connection may send its
// first request on it while the server ends.
func TestDrainAnswersOnUnusedConnections(t *testing.T) {
	for _, test := range []struct {
		name string
		// after is how long after the signal the first request comes, and took when the
		// server ends. The drain delay is a second.
		after, took time.Duration
		answered    bool
	}{
		{"while draining", 500 * time.Millisecond, time.Second, true},
		{"when the listener is closed", 4 * time.Second, 4 * time.Second, true},
		{"too late", 8 * time.Second, time.Second + unusedTimeout, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, NewHandler(Options{Tables: loaded(t, nil, rename)}), 0, time.Second)
				conn, err := r.dial()
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if err := conn.Handshake(); err != nil {
					t.Fatal(err)
				}
				signal := time.Now()
				r.stop()
				ended := make(chan time.Duration, 1)
				go func() {
					if err := <-r.stopped; err != nil {
						t.Error(err)
					}
					ended <- time.Since(signal)
				}()

				time.Sleep(test.after)
				first := &http.Client{Transport: &http.Transport{
					DialTLSContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil },
				}}
				got, err := ask(first, http.MethodPost, "https://host/convert", review1(star))
				switch {
				case !test.answered && err == nil:
					t.Errorf("got %+v, want nothing", got)
				case test.answered && (err != nil || got.body != success(starV1) || !got.close):
					t.Errorf("got %+v, %v, want an answer that asks to leave", got, err)
				}
				// Both may close the connection, and wait for each other (see start).
				if took := <-ended; took < test.took || took > test.took+6*time.Second {
					t.Errorf("the server ended after %v, want %v", took, test.took)
				}
			})
		})
	}
}

// TestDrainCutsOffWhatNeverEnds: a hung converter must not keep the process.
func TestDrainCutsOffWhatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived, never := make(chan struct{}), make(chan struct{})
		r := start(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(arrived)
			<-never
		}), 0, 0)
		go func() { _, _ = ask(r.webhook, http.MethodPost, "https://host/", "") }() // fails: that is the point
		<-arrived
		r.stop()
		err := <-r.stopped
		if want := "requests in flight were cut off: context deadline exceeded"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		close(never)
	})
}

// TestListenerFails: a server that cannot listen says so and does not linger.
func TestListenerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := newPipes()
		if err := broken.Close(); err != nil {
			t.Fatal(err)
		}
		server := NewServer(ServerOptions{
			Listener: newPipes(), Handler: http.NotFoundHandler(), TLS: &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, nil }},
			HealthListener: broken, HealthHandler: http.NotFoundHandler(),
			Readiness: NewReadiness(), DrainDelay: time.Hour,
		})
		err := server.Run(t.Context())
		if want := "the health listener: use of closed network connection"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

// TestTimeouts says which client is cut off when.
func TestTimeouts(t *testing.T) {
	tests := []struct {
		name  string
		bytes string // what the client sends before it falls silent
		want  time.Duration
	}{
		{"headers that never end", "POST /convert HTTP/1.1\r\nHost: h\r\n", readHeaderTimeout},
		{"a body that never ends", "POST /convert HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{", readTimeout},
		{"a connection that is idle", "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n", idleTimeout},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPipes()
				server := NewHealthServer(NewHandler(Options{Tables: loaded(t, nil, rename)}), slog.New(slog.DiscardHandler))
				go func() { _ = server.Serve(p) }() // ends with Close
				defer server.Close()
				c, err := p.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				go func() { _, _ = c.Write([]byte(test.bytes)) }()
				buffer := make([]byte, 4096)
				for {
					if _, err := c.Read(buffer); err != nil {
						break
					}
				}
				// Closing a connection lingers for half a second (net/http).
				if took := time.Since(begin); took < test.want || took > test.want+time.Second {
					t.Errorf("cut off after %v, want %v", took, test.want)
				}
			})
		})
	}
}
