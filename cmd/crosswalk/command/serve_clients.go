package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
)

// clientsOptions configures which client certificates belong to the API server.
type clientsOptions struct {
	ca    string // a file, or empty
	names []string
}

func (o *clientsOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.ca, "client-ca", "", "PEM file with the CA of the client certificates by which the API server identifies itself; it is read again when it changes (default: no client is identified)")
	f.StringArrayVar(&o.names, "client-name", nil, "common name of such a certificate (repeatable) (default: any)")
}

func (o *clientsOptions) check() error {
	if len(o.names) > 0 && o.ca == "" {
		return usagef("--client-name needs --client-ca, the CA of the certificates with that name")
	}
	return nil
}

// clients identifies the API server by its certificate.
type clients struct {
	ca    *dynamiccertificates.DynamicFileCAContent // nil if nobody can be identified
	names []string
}

func (o *clientsOptions) clients() (clients, error) {
	if o.ca == "" {
		return clients{}, nil
	}
	ca, err := dynamiccertificates.NewDynamicCAContentFromFile("client-ca", o.ca)
	if err != nil {
		return clients{}, usagef("--client-ca: %w", err)
	}
	return clients{ca, o.names}, nil
}

// follow reads the file again when it changes, until ctx is done.
func (c clients) follow(ctx context.Context) error {
	if c.ca != nil {
		c.ca.Run(ctx, 1)
	}
	return nil
}

// ask makes a server ask for client certificates. It accepts clients with another certificate
// or without one, but does not identify them as the API server.
func (c clients) ask(config *tls.Config) *tls.Config {
	if c.ca != nil {
		config.ClientAuth = tls.RequestClientCert
	}
	return config
}

// know reports whether a request comes from the API server.
func (c clients) know(r *http.Request) bool {
	if c.ca == nil || r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return false
	}
	options, known := c.ca.VerifyOptions()
	if !known {
		return false
	}
	options.Intermediates = x509.NewCertPool()
	for _, intermediate := range r.TLS.PeerCertificates[1:] {
		options.Intermediates.AddCert(intermediate)
	}
	leaf := r.TLS.PeerCertificates[0]
	if len(c.names) > 0 && !slices.Contains(c.names, leaf.Subject.CommonName) {
		return false
	}
	_, err := leaf.Verify(options)
	return err == nil
}
