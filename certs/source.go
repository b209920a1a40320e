package certs

import (
	"context"
	"crypto/tls"
)

// Source is where the serving certificate comes from.
//
// Current must never block: it is called in every TLS handshake. Until Run has
// been called, a Source may have nothing to give; once it has given a pair it
// never goes back to none.
type Source interface {
	// Current returns the pair to serve with. It fails, saying why, while there
	// is none.
	Current() (*Pair, error)
	// Changed returns a channel that is closed when Current next changes. To
	// miss nothing, ask for the channel before asking for the pair.
	Changed() <-chan struct{}
	// Run keeps the pair fresh until ctx is done, and then returns nil. What
	// goes wrong meanwhile is logged, and mended where it can be: the last good
	// pair stays.
	Run(ctx context.Context) error
}

// GetCertificate makes a source answer TLS handshakes (tls.Config).
func GetCertificate(s Source) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := s.Current()
		if err != nil {
			return nil, err
		}
		return pair.Certificate, nil
	}
}
