package certs

import (
	"context"
	"crypto/tls"
)

// Source provides the serving certificate.
//
// Current must never block, because every TLS handshake calls it. Before Run is called, a
// Source may have no pair. Once it has returned a pair, it always returns one.
type Source interface {
	// Current returns the pair to serve. While there is none, it returns an error that explains
	// why.
	Current() (*Pair, error)
	// Changed returns a channel that is closed when Current next changes. Ask for the channel
	// before the pair, so that no change is missed.
	Changed() <-chan struct{}
	// Run keeps the pair fresh until ctx is done, and then returns nil. It logs errors, and
	// recovers where it can. The last good pair stays meanwhile.
	Run(ctx context.Context) error
}

// GetCertificate adapts a source to the callback of tls.Config.
func GetCertificate(s Source) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := s.Current()
		if err != nil {
			return nil, err
		}
		return pair.Certificate, nil
	}
}
