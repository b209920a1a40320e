package aggregated

import (
	"context"
	"crypto/x509"
	"encoding/pem"

	"k8s.io/apiserver/pkg/server/dynamiccertificates"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// certificate adapts a source to API servers, which take certificates as PEM, with listeners
// for changes.
type certificate struct {
	source    certs.Source
	listeners []dynamiccertificates.Listener
}

// Name is used in errors and logs.
func (c *certificate) Name() string { return "serving certificate" }

// CurrentCertKeyContent returns the chain and the key.
func (c *certificate) CurrentCertKeyContent() (chain, key []byte) {
	pair, err := c.source.Current()
	if err != nil {
		return nil, nil
	}
	for _, der := range pair.Certificate.Certificate {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	der, err := x509.MarshalPKCS8PrivateKey(pair.Certificate.PrivateKey)
	if err != nil {
		return nil, nil // every key of a pair can be encoded
	}
	return chain, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// AddListener is called only before Run.
func (c *certificate) AddListener(l dynamiccertificates.Listener) {
	c.listeners = append(c.listeners, l)
}

// RunOnce and Run implement [dynamiccertificates.ControllerRunner].
func (c *certificate) RunOnce(context.Context) error { return nil }

// Run notifies the listeners of changes until ctx is done.
func (c *certificate) Run(ctx context.Context, _ int) {
	for {
		changed := c.source.Changed()
		for _, l := range c.listeners {
			l.Enqueue()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
