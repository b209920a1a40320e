package certs

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// What clients accept of a chain differs, and a server cannot ask them: OpenSSL
// takes a message of 100 kB, Go one of 256 KiB in TLS 1.3 and of 64 KiB
// otherwise; GnuTLS takes 16 certificates, Mbed TLS 9. A chain within these
// limits is accepted by those that matter here, an API server's first of all.
const (
	maxChain     = 10
	maxChainSize = 64 << 10
)

// accepted checks that a client can shake hands with whoever serves the pair:
// that the chain is not too long and not too large, and that a client knows what
// to do with its keys (which a key of 16384 bits, for one, is too large for). It
// does not check whom the client trusts: see [Pair.verify].
func (p *Pair) accepted() error {
	const remedy = "keep the serving certificate and its intermediates there, nothing else"
	chain := p.Certificate.Certificate
	if len(chain) > maxChain {
		return fmt.Errorf("%s holds %d certificates, and clients accept %d: %s", certificateFile, len(chain), maxChain, remedy)
	}
	size := 0
	for _, der := range chain {
		size += len(der)
	}
	if size > maxChainSize {
		return fmt.Errorf("the certificates of %s are %d bytes, and clients accept %d: %s", certificateFile, size, maxChainSize, remedy)
	}
	if err := p.shakeHands(); err != nil {
		return fmt.Errorf("no client accepts the certificate: %w", err)
	}
	return nil
}

// shakeHands connects a client that trusts everybody to a server of the pair.
func (p *Pair) shakeHands() error {
	client, server := net.Pipe()
	served := make(chan error, 1)
	go func() {
		defer server.Close()
		// A ticket would be sent after the handshake, when nobody reads.
		config := &tls.Config{Certificates: []tls.Certificate{*p.Certificate}, SessionTicketsDisabled: true}
		served <- tls.Server(server, config).Handshake()
	}()
	err := tls.Client(client, &tls.Config{InsecureSkipVerify: true}).Handshake() // nobody is on the other side
	client.Close()
	if own := <-served; errors.As(err, new(*net.OpError)) {
		return own // the server gave up, and the client was only told that it did
	}
	return err
}
