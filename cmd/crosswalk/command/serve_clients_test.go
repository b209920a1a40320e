package command

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// signer is a CA.
type signer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// sign makes a certificate of a CA, or, of nil, one that signs itself.
func (s *signer) sign(t *testing.T, template *x509.Certificate) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.NotBefore = big.NewInt(1), time.Now().Add(-time.Hour)
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(time.Hour)
	}
	parent := &signer{template, key}
	if s != nil {
		parent = s
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.certificate, key.Public(), parent.key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{certificate, key}
}

func newSigner(t *testing.T, of *signer) *signer {
	return of.sign(t, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, Subject: pkix.Name{CommonName: "CA"}})
}

// client is a certificate of that name, for a purpose.
func (s *signer) client(t *testing.T, name string, usage x509.ExtKeyUsage, until time.Time) tls.Certificate {
	made := s.sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{usage}, NotAfter: until})
	return tls.Certificate{Certificate: [][]byte{made.certificate.Raw}, PrivateKey: made.key}
}

func (s *signer) write(t *testing.T, file string) {
	t.Helper()
	next := file + ".next"
	if err := os.WriteFile(next, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.certificate.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, file); err != nil {
		t.Fatal(err)
	}
}

// TestClientsAreKnown: by a certificate for clients, of the CA, with a name that is
// allowed, that is valid now; and nobody is refused.
func TestClientsAreKnown(t *testing.T) {
	ca, other := newSigner(t, nil), newSigner(t, nil)
	between := newSigner(t, ca)
	file := filepath.Join(t.TempDir(), "ca.crt")
	ca.write(t, file)
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
	var never time.Time
	const forClients = x509.ExtKeyUsageClientAuth
	known := ca.client(t, "apiserver", forClients, never)
	behind := between.client(t, "apiserver", forClients, never)
	behind.Certificate = append(behind.Certificate, between.certificate.Raw)
	any, named := start(), start("apiserver", "other")
	for _, test := range []struct {
		name         string
		certificates []tls.Certificate
		any, named   string
	}{
		{"none", nil, "false", "false"},
		{"of the CA", []tls.Certificate{known}, "true", "true"},
		{"by way of another", []tls.Certificate{behind}, "true", "true"},
		{"with another name", []tls.Certificate{ca.client(t, "kubelet", forClients, never)}, "true", "false"},
		{"of another CA", []tls.Certificate{other.client(t, "apiserver", forClients, never)}, "false", "false"},
		{"for servers", []tls.Certificate{ca.client(t, "apiserver", x509.ExtKeyUsageServerAuth, never)}, "false", "false"},
		{"expired", []tls.Certificate{ca.client(t, "apiserver", forClients, time.Now().Add(-time.Minute))}, "false", "false"},
	} {
		if got := any(test.certificates...); got != test.any {
			t.Errorf("%s: %s", test.name, got)
		}
		if got := named(test.certificates...); got != test.named {
			t.Errorf("%s, where names count: %s", test.name, got)
		}
	}
	other.write(t, file)
	next := other.client(t, "apiserver", forClients, never)
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
