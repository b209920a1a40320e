package certificates

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// issuer is an authority of the tests' own: whoever issues files.
type issuer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newIssuer(t *testing.T) issuer {
	t.Helper()
	i := issuer{key: newKey(t)}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "an authority"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	i.certificate = sign(t, template, i.key, template, i.key)
	return i
}

// pem is the authority's certificate.
func (i issuer) pem() []byte { return encode("CERTIFICATE", i.certificate.Raw) }

// issue returns a certificate for Crosswalk and its key, with the authority's
// certificate as what to believe in.
func (i issuer) issue(t *testing.T) secret {
	t.Helper()
	key := newKey(t)
	certificate := sign(t, &x509.Certificate{
		DNSNames:    []string{dnsName},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, key, i.certificate, i.key)
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return secret{Data: map[string][]byte{
		"tls.crt": encode("CERTIFICATE", certificate.Raw), "tls.key": encode("PRIVATE KEY", text), "ca.crt": i.pem(),
	}}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, template *x509.Certificate, key *ecdsa.PrivateKey, parent *x509.Certificate, by *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = serial
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Minute), time.Now().Add(24*time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), by)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
