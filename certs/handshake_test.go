package certs

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"strings"
	"testing"
	"time"
)

// handshake connects as the API server does: it trusts the bundle and asks for
// the Service's name (k8s.io/apiserver/pkg/util/webhook sets both).
func handshake(t *testing.T, s Source, bundle []byte, name string, now func() time.Time) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		server, err := listener.Accept()
		if err != nil {
			return
		}
		defer server.Close()
		_ = tls.Server(server, &tls.Config{GetCertificate: GetCertificate(s), Time: now}).Handshake() // the client tells
	}()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	return tls.Client(client, &tls.Config{RootCAs: roots, ServerName: name, Time: now}).Handshake()
}

func TestHandshake(t *testing.T) {
	c := newClock()
	a := makeAuthority(t, t.TempDir(), c, ServiceNames("crosswalk", "system")...)
	bundle := current(t, a).CABundle
	if err := handshake(t, a, bundle, "crosswalk.system.svc", c.now); err != nil {
		t.Error(err)
	}
	// A renewal must not need a new bundle.
	c.advance(80 * day)
	if err := a.Refresh(); err != nil {
		t.Fatal(err)
	}
	if err := handshake(t, a, bundle, "crosswalk.system.svc", c.now); err != nil {
		t.Error(err)
	}
	err := handshake(t, a, bundle, "crosswalk.default.svc", c.now)
	if err == nil || !strings.Contains(err.Error(), "not crosswalk.default.svc") {
		t.Errorf("another Service's name: %v", err)
	}
	empty := NewFolder(FolderOptions{Dir: t.TempDir(), Now: c.now})
	if err := handshake(t, empty, bundle, "crosswalk.system.svc", c.now); err == nil {
		t.Error("a handshake without a certificate")
	}
}
