package webhook

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// CertificateCheck returns the readiness check named "certificate": it fails while there is no
// certificate with which a client that trusts its CA completes a handshake.
func CertificateCheck(source certs.Source, now func() time.Time) func() error {
	c := &certificateCheck{source: source, now: now}
	return c.check
}

// A handshake is made again after handshakeFor, or with another certificate, however often
// somebody asks.
const (
	handshakeFor  = 10 * time.Second
	handshakeTime = 5 * time.Second
)

type certificateCheck struct {
	source certs.Source
	now    func() time.Time

	mu   sync.Mutex
	pair *certs.Pair // with which the last handshake was made
	at   time.Time   // of the last handshake
	err  error
}

func (c *certificateCheck) check() error {
	pair, err := c.source.Current()
	if err != nil {
		return err
	}
	now := c.now()
	if leaf := pair.Leaf(); now.After(leaf.NotAfter) {
		return fmt.Errorf("the certificate expired on %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if age := now.Sub(c.at); pair != c.pair || age < 0 || age >= handshakeFor {
		c.pair, c.at, c.err = pair, now, handshake(pair, c.now)
	}
	return c.err
}

// handshake lets a client and a server meet in memory.
func handshake(pair *certs.Pair, now func() time.Time) error {
	there := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: nameOf(pair.Leaf()), Time: now}
	if len(pair.CABundle) == 0 {
		there.InsecureSkipVerify = true // nobody knows whom clients trust
	} else if !there.RootCAs.AppendCertsFromPEM(pair.CABundle) {
		return errors.New("the CA bundle has no certificate")
	}
	here := &tls.Config{Certificates: []tls.Certificate{*pair.Certificate}, Time: now}
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	until := time.Now().Add(handshakeTime)
	if err := errors.Join(client.SetDeadline(until), server.SetDeadline(until)); err != nil {
		return err
	}
	go func() {
		queued := newEager(server)
		defer close(queued.queue)
		_ = tls.Server(queued, here).Handshake() // the client reports why it fails
	}()
	if err := tls.Client(client, there).Handshake(); err != nil {
		return fmt.Errorf("clients cannot connect with the certificate: %w", err)
	}
	return nil
}

// nameOf returns a name for which a certificate is valid.
func nameOf(leaf *x509.Certificate) string {
	switch {
	case len(leaf.DNSNames) > 0:
		return leaf.DNSNames[0]
	case len(leaf.IPAddresses) > 0:
		return leaf.IPAddresses[0].String()
	}
	return ""
}

// eager writes to a connection in the background, until its queue is closed. Over net.Pipe, a
// client that refuses a certificate could not tell a server that is still writing.
type eager struct {
	net.Conn
	queue chan []byte
}

func newEager(conn net.Conn) eager {
	e := eager{conn, make(chan []byte, 100)}
	go func() {
		for data := range e.queue {
			if _, err := conn.Write(data); err != nil {
				return
			}
		}
	}()
	return e
}

// Write implements [net.Conn].
func (e eager) Write(data []byte) (int, error) {
	select {
	case e.queue <- bytes.Clone(data):
		return len(data), nil
	default:
		return 0, errors.New("the client does not read")
	}
}
