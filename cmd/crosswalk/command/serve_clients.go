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

// clientsOptions say which client certificates are those of the API server.
type clientsOptions struct {
	ca    string // a file, empty where there are none
	names []string
}

func (o *clientsOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.ca, "client-ca", "", "file with the CA of the client certificates by which the API server shows who it is, PEM; it is read again when it changes (default: by none)")
	f.StringArrayVar(&o.names, "client-name", nil, "common name that such a certificate has (repeatable) (default: any)")
}

func (o *clientsOptions) check() error {
	if len(o.names) > 0 && o.ca == "" {
		return usagef("--client-name: there is no --client-ca whose certificates could have it")
	}
	return nil
}

// clients knows the API server by its certificate.
type clients struct {
	ca    *dynamiccertificates.DynamicFileCAContent // nil where nobody is known
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

// ask makes a server ask for certificates. It takes any, and none: who shows another is
// not refused, but not known.
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
