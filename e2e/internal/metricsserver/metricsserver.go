// Package metricsserver stands in for metrics-server: an aggregated API of somebody else, with
// a certificate of its own.
package metricsserver

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const (
	// APIService is the name of its APIService.
	APIService = "v1beta1.metrics.k8s.io"
	// Secret is that of its certificate, and Namespace that of both.
	Secret, Namespace = "metrics-server-tls", "kube-system"

	server = "metrics-server." + Namespace + ".svc" // as the API server calls it
)

// Server answers on loopback, where the API server reaches it through a Service.
type Server struct {
	plane *harness.ControlPlane

	mu   sync.Mutex
	pair *certs.Pair
}

// Start starts one that ends with the test, and applies its Service, its Secret, and its
// APIService as it is shipped, but for the port.
func Start(t testing.TB, plane *harness.ControlPlane) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{plane: plane}
	s.Renew(t)
	web := &http.Server{
		Handler: http.HandlerFunc(discovery), ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{GetCertificate: s.certificate, MinVersion: tls.VersionTLS12},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = web.ServeTLS(listener, "", "")
	}()
	t.Cleanup(func() {
		_ = web.Close()
		<-done
	})
	port := listener.Addr().(*net.TCPAddr).Port
	shipped, err := os.ReadFile(filepath.Join(stage.Programs(t).Root, "certs", "inject", "testdata", "apiservices", APIService+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	apply(t, plane, fmt.Sprintf(`apiVersion: v1
kind: Service
metadata: {name: metrics-server, namespace: %s}
spec: {type: ExternalName, externalName: localhost, ports: [{name: https, port: %d}]}
`, Namespace, port))
	apply(t, plane, strings.Replace(string(shipped), "name: metrics-server\n", fmt.Sprintf("name: metrics-server\n    port: %d\n", port), 1))
	t.Cleanup(func() {
		for _, what := range []string{"apiservice " + APIService, "service -n " + Namespace + " metrics-server", "secret -n " + Namespace + " " + Secret} {
			// The test's own context is over.
			if _, err := plane.Kubectl(context.Background(), append([]string{"delete", "--timeout=30s"}, strings.Fields(what)...)...); err != nil {
				t.Error(err)
			}
		}
	})
	return s
}

// Renew gives it a certificate of a new CA, and its Secret both. It returns the CA.
func (s *Server) Renew(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: dir, Names: []string{server}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Current()
	if err != nil {
		t.Fatal(err)
	}
	manifest := fmt.Sprintf("apiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\nmetadata: {name: %s, namespace: %s}\ndata:\n", Secret, Namespace)
	for _, name := range []string{"ca.crt", "tls.crt", "tls.key"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		manifest += fmt.Sprintf("  %s: %s\n", name, base64.StdEncoding.EncodeToString(text))
	}
	s.mu.Lock()
	s.pair = pair
	s.mu.Unlock()
	apply(t, s.plane, manifest)
	return pair.CABundle
}

func (s *Server) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pair.Certificate, nil
}

// discovery answers what the API server asks in order to find it available.
func discovery(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/apis/metrics.k8s.io/v1beta1" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"metrics.k8s.io/v1beta1",` +
		`"resources":[{"name":"nodes","singularName":"","namespaced":false,"kind":"NodeMetrics","verbs":["get","list"]}]}`))
}

func apply(t testing.TB, plane *harness.ControlPlane, manifest string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plane.Kubectl(t.Context(), "apply", "--server-side", "--force-conflicts", "-f", file); err != nil {
		t.Fatal(err)
	}
}
