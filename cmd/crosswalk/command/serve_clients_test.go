package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// replace puts a CA into a file, as kubelets replace what is mounted.
func replace(t *testing.T, file string, ca *certstest.Signed) {
	t.Helper()
	next := file + ".next"
	if err := os.WriteFile(next, ca.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, file); err != nil {
		t.Fatal(err)
	}
}

// TestClientsAreKnown: by a certificate for clients, of the CA, with a name that is
// allowed, that is valid now; and nobody is refused.
func TestClientsAreKnown(t *testing.T) {
	ca, other := certstest.NewCA(t, nil, "CA"), certstest.NewCA(t, nil, "another")
	between := certstest.NewCA(t, ca, "between")
	file := filepath.Join(t.TempDir(), "ca.crt")
	replace(t, file, ca)
	start := func(names ...string) func(certificates ...tls.Certificate) string {
		clients, err := (&clientsOptions{ca: file, names: names}).clients()
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- clients.follow(ctx) }()
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, clients.know(r)) }))
		server.TLS = clients.ask(&tls.Config{MinVersion: tls.VersionTLS12})
		server.StartTLS()
		t.Cleanup(func() { server.Close(); stop(); <-ended })
		return func(certificates ...tls.Certificate) string {
			config := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
			config.Certificates = certificates
			// Shown whatever the server says that it takes.
			if len(certificates) > 0 {
				config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &certificates[0], nil }
			}
			transport := &http.Transport{TLSClientConfig: config}
			defer transport.CloseIdleConnections()
			response, err := (&http.Client{Transport: transport}).Get(server.URL)
			if err != nil {
				return err.Error()
			}
			defer response.Body.Close()
			text, _ := io.ReadAll(response.Body)
			return string(text)
		}
	}
	known, behind := ca.Client(t, "apiserver").TLS(), between.Client(t, "apiserver").TLS()
	behind.Certificate = append(behind.Certificate, between.Certificate.Raw)
	named := pkix.Name{CommonName: "apiserver"}
	server := certstest.Sign(t, ca, x509.Certificate{Subject: named, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	expired := certstest.Sign(t, ca, x509.Certificate{Subject: named, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, NotAfter: time.Now().Add(-time.Minute)})
	any, some := start(), start("apiserver", "other")
	for _, test := range []struct {
		name         string
		certificates []tls.Certificate
		any, some    string
	}{
		{"none", nil, "false", "false"},
		{"of the CA", []tls.Certificate{known}, "true", "true"},
		{"by way of another", []tls.Certificate{behind}, "true", "true"},
		{"with another name", []tls.Certificate{ca.Client(t, "kubelet").TLS()}, "true", "false"},
		{"of another CA", []tls.Certificate{other.Client(t, "apiserver").TLS()}, "false", "false"},
		{"for servers", []tls.Certificate{server.TLS()}, "false", "false"},
		{"expired", []tls.Certificate{expired.TLS()}, "false", "false"},
	} {
		if got := any(test.certificates...); got != test.any {
			t.Errorf("%s: %s", test.name, got)
		}
		if got := some(test.certificates...); got != test.some {
			t.Errorf("%s, where names count: %s", test.name, got)
		}
	}
	replace(t, file, other)
	next := other.Client(t, "apiserver").TLS()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 20*time.Second, true, func(context.Context) (bool, error) {
		return any(next) == "true" && any(known) == "false", nil
	})
	if err != nil {
		t.Error("another CA in the file is not heard of")
	}
	nobody, err := (&clientsOptions{}).clients()
	if err != nil || nobody.know(httptest.NewRequest(http.MethodPost, "/", nil)) || nobody.ask(new(tls.Config)).ClientAuth != tls.NoClientCert {
		t.Error("somebody is known without a CA, or asked for a certificate")
	}
}
