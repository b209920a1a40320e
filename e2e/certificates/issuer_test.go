package certificates

import (
	"crypto/x509"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// issuer is an authority of the tests' own: whoever issues files.
type issuer struct{ *certstest.Signed }

func newIssuer(t *testing.T) issuer {
	t.Helper()
	return issuer{certstest.NewCA(t, nil, "an authority")}
}

// issue returns a certificate for Crosswalk and its key, with the authority's
// certificate as what to believe in.
func (i issuer) issue(t *testing.T) secret {
	t.Helper()
	certificate := certstest.Sign(t, i.Signed, x509.Certificate{
		DNSNames:    []string{dnsName},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return secret{Data: map[string][]byte{
		"tls.crt": certificate.PEM(), "tls.key": certificate.KeyPEM(t), "ca.crt": i.PEM(),
	}}
}
