// Package certstest signs certificates for tests: CAs, servers and clients that
// Crosswalk does not issue itself.
package certstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// Signed is a certificate with its key.
type Signed struct {
	Certificate *x509.Certificate
	Key         *ecdsa.PrivateKey
}

// Sign makes a certificate like template, with a new key. If signer is nil, the certificate
// signs itself. Fields that the template lacks are filled in: a random serial number, and an
// hour before and after now.
func Sign(t testing.TB, signer *Signed, template x509.Certificate) *Signed {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if template.SerialNumber == nil {
		if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
			t.Fatal(err)
		}
	}
	if template.NotBefore.IsZero() {
		template.NotBefore = time.Now().Add(-time.Hour)
	}
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(time.Hour)
	}
	if signer == nil {
		signer = &Signed{&template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, signer.Certificate, key.Public(), signer.Key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &Signed{certificate, key}
}

// NewCA makes a CA with that name. If signer is nil, the CA signs itself.
func NewCA(t testing.TB, signer *Signed, name string) *Signed {
	t.Helper()
	return Sign(t, signer, x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
}

// Client makes a certificate for a client with that name.
func (s *Signed) Client(t testing.TB, name string) *Signed {
	t.Helper()
	return Sign(t, s, x509.Certificate{
		Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

// TLS returns the certificate in the form for servers and clients.
func (s *Signed) TLS() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{s.Certificate.Raw}, PrivateKey: s.Key, Leaf: s.Certificate}
}

// PEM returns the certificate as text.
func (s *Signed) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate.Raw})
}

// KeyPEM returns the key as text.
func (s *Signed) KeyPEM(t testing.TB) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(s.Key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}
