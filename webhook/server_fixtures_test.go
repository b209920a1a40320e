package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// pipes is a listener in memory, so that a whole server runs in virtual time.
type pipes struct {
	connections chan net.Conn
	once        sync.Once
	closed      chan struct{}
}

func newPipes() *pipes {
	return &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.connections <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// running is a server with both listeners in memory and a client for each.
type running struct {
	webhook, health *http.Client
	// dial returns a connection to the webhook.
	dial      func() (*tls.Conn, error)
	readiness *Readiness
	stop      context.CancelFunc // the signal
	stopped   chan error
}

// start starts a server, in virtual time.
func start(t *testing.T, handler http.Handler, minVersion uint16, drain time.Duration) *running {
	t.Helper()
	// Two that close a connection at the same time wait for each other to read that, up to
	// five seconds (crypto/tls, closeNotify). A test that ended before would have left them.
	t.Cleanup(func() { time.Sleep(6 * time.Second) })
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk.system.svc"}})
	if err != nil {
		t.Fatal(err)
	}
	webhook, health := newPipes(), newPipes()
	r := &running{readiness: NewReadiness(), stopped: make(chan error, 1)}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(t.Context())
	server := NewServer(ServerOptions{
		Listener: webhook, Handler: handler, TLS: TLSConfig(source, minVersion),
		HealthListener: health, HealthHandler: NewHealthHandler(r.readiness, prometheus.NewRegistry()),
		Readiness: r.readiness, DrainDelay: drain,
	})
	go func() { r.stopped <- server.Run(ctx) }()
	trusting := trust(t, source)
	r.webhook = client(t, webhook, trusting)
	r.dial = func() (*tls.Conn, error) {
		conn, err := webhook.dial(t.Context(), "", "")
		return tls.Client(conn, trusting), err
	}
	r.health = client(t, health, nil)
	return r
}

// trust is how the API server trusts a source.
func trust(t *testing.T, source certs.Source) *tls.Config {
	t.Helper()
	pair, err := source.Current()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pair.CABundle)
	return &tls.Config{RootCAs: roots, ServerName: "crosswalk.system.svc", NextProtos: []string{"h2", "http/1.1"}}
}

func client(t *testing.T, p *pipes, config *tls.Config) *http.Client {
	transport := &http.Transport{DialContext: p.dial, TLSClientConfig: config, ForceAttemptHTTP2: config != nil}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// answer is a whole response.
type answer struct {
	status     int
	body       string
	proto      string
	close      bool
	retryAfter string
	tls        uint16
}

func ask(c *http.Client, method, url, body string) (answer, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	a := answer{status: response.StatusCode, body: string(content), proto: response.Proto, close: response.Close,
		retryAfter: response.Header.Get("Retry-After")}
	if response.TLS != nil {
		a.tls = response.TLS.Version
	}
	return a, err
}
