package aggregated

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/certstest"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// shown is how a client of that name shows a certificate of an authority.
func shown(t *testing.T, by *certstest.Signed, name string) []tls.Certificate {
	t.Helper()
	return []tls.Certificate{by.Client(t, name).TLS()}
}

// source is a source of certificates that are renewed when a test says so.
type source struct {
	mu      sync.Mutex
	pair    *certs.Pair
	changed chan struct{}
}

// renew makes another certificate, of another authority.
func (s *source) renew(t *testing.T) {
	t.Helper()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Current()
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pair = pair
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *source) Current() (*certs.Pair, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pair, nil
}

func (s *source) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *source) Run(ctx context.Context) error { <-ctx.Done(); return nil }

// served is a running server, the cluster in front of it, and the authorities
// of the front proxy and of clients.
type served struct {
	cluster        *cluster
	proxy, clients *certstest.Signed
	tables         *webhook.Tables
	certs          *source
	memory         int64
	reviewer       validation.Reviewer
	registry       *prometheus.Registry
	log            logged
	address        string
	server         *Server
	stop           func() error
}

// configMap returns an API server's description of its front proxy.
func (s *served) configMap() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "extension-apiserver-authentication", ResourceVersion: "2"},
		Data: map[string]string{
			"client-ca-file":                     string(s.clients.PEM()),
			"requestheader-client-ca-file":       string(s.proxy.PEM()),
			"requestheader-allowed-names":        `["front-proxy-client"]`,
			"requestheader-username-headers":     `["X-Remote-User"]`,
			"requestheader-group-headers":        `["X-Remote-Group"]`,
			"requestheader-extra-headers-prefix": `["X-Remote-Extra-"]`,
		},
	}
}

// serve serves the example's table; alice may create conversions, the API server may ask
// for verdicts, and bob has no rights.
func serve(t *testing.T) *served {
	t.Helper()
	s := prepare(t)
	s.start(t)
	return s
}

func prepare(t *testing.T) *served {
	t.Helper()
	s := &served{proxy: certstest.NewCA(t, nil, "CA"), clients: certstest.NewCA(t, nil, "CA"), tables: webhook.NewTables(nil), registry: prometheus.NewRegistry(),
		reviewer: validation.ReviewerFunc(func(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) { return nil, nil })}
	s.cluster = newCluster(t, s.configMap())
	s.cluster.may = map[string]string{"alice": "conversions.conversion.crosswalk.dev", "system:apiserver": "*.admission.crosswalk.dev"}
	s.cluster.tokens = map[string]string{"alice's": "alice", "bob's": "bob"}
	loaded, err := config.Load([]string{"../../examples/crontab"})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := loaded.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.tables.Replace([]webhook.Converter{compiled[0]}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *served) start(t *testing.T) {
	t.Helper()
	s.certs = &source{changed: make(chan struct{})}
	s.certs.renew(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	reviewers := webhook.NewReviewers(nil)
	telling := map[string]validation.Reviewer{"telling": s.reviewer}
	if err := reviewers.Replace(telling, telling); err != nil {
		t.Fatal(err)
	}
	server, err := NewServer(Options{
		Reviews:  webhook.NewAdmissionHandler(webhook.Options{Reviewers: reviewers}),
		Listener: listener, Certificate: s.certs, MinTLSVersion: tls.VersionTLS13, Tables: s.tables, Memory: webhook.NewMemory(s.memory),
		Metrics: webhook.NewMetrics(s.registry), Logger: slog.New(slog.NewTextHandler(&s.log, nil)), Cluster: s.cluster.config,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.server = server
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	s.stop = func() error { cancel(); return <-ended }
	t.Cleanup(func() {
		if ctx.Err() == nil {
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		}
	})
}

// caller is how a request presents itself: by a certificate, by a name in the header of
// the front proxy, or by a token.
type caller struct {
	certificate []tls.Certificate
	user, token string
}

// as is a user who comes by way of the front proxy.
func (s *served) as(t *testing.T, user string) caller {
	return caller{certificate: shown(t, s.proxy, "front-proxy-client"), user: user}
}

// ask sends a request, and returns the status and the body of the answer.
func (s *served) ask(t *testing.T, c caller, method, path, body string) (int, string) {
	t.Helper()
	pair, err := s.certs.Current()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pair.CABundle)
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: "crosswalk", Certificates: c.certificate},
		ForceAttemptHTTP2: true,
	}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), method, "https://"+s.address+path, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	if c.user != "" {
		request.Header.Set("X-Remote-User", c.user)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// logged is what has been logged.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// until waits for what will be soon.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 20*time.Second, true,
		func(context.Context) (bool, error) { return holds(), nil })
	if err != nil {
		t.Fatal(err)
	}
}
