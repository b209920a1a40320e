package aggregated

import (
	"context"
	"crypto/x509"
	"encoding/pem"

	"k8s.io/apiserver/pkg/server/dynamiccertificates"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// certificate is a source of certificates as API servers take them: as PEM, with
// listeners that are told of changes.
type certificate struct {
	source    certs.Source
	listeners []dynamiccertificates.Listener
}

// Name is for errors and logs.
func (c *certificate) Name() string { return "serving certificate" }

// CurrentCertKeyContent is the chain and the key.
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
		return nil, nil // a key that a pair can have can be written
	}
	return chain, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// AddListener is called before Run alone.
func (c *certificate) AddListener(l dynamiccertificates.Listener) {
	c.listeners = append(c.listeners, l)
}

// RunOnce and Run make it a [dynamiccertificates.ControllerRunner].
func (c *certificate) RunOnce(context.Context) error { return nil }

// Run tells the listeners of changes until ctx is done.
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
