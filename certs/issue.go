package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

const (
	// authorityValidity is how long the CA is valid: longer than anybody leaves
	// a cluster untouched, because replacing a CA means changing every CRD.
	authorityValidity = 10 * 365 * 24 * time.Hour
	// leafValidity is how long a serving certificate is valid. Renewal costs
	// nothing, so it is as short as leaves a month to notice that it fails.
	leafValidity = 90 * 24 * time.Hour
	// backdate is for clients whose clock is behind.
	backdate = time.Hour
)

// renewalDue says whether less than a third of c's life is left.
func renewalDue(c *x509.Certificate, now time.Time) bool {
	return now.After(c.NotAfter.Add(-c.NotAfter.Sub(c.NotBefore) / 3))
}

// newKey makes a key and its PEM. Go's crypto takes its randomness from the
// system whatever reader it is given (crypto/ecdsa, since Go 1.26), so there is
// none to pass in; the same holds for serial numbers, which x509 makes.
func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// issuer is a CA with its key.
type issuer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

// newIssuer signs a CA certificate with its own key.
func newIssuer(key *ecdsa.PrivateKey, now time.Time) (*issuer, error) {
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Crosswalk built-in authority"},
		NotBefore: now.Add(-backdate),
		NotAfter:  now.Add(authorityValidity),
		KeyUsage:  x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		IsCA:      true, BasicConstraintsValid: true, MaxPathLenZero: true, // signs leaves only
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return parseIssuer(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), key)
}

// parseIssuer checks that a CA certificate and a key belong together.
func parseIssuer(certificate []byte, key *ecdsa.PrivateKey) (*issuer, error) {
	block, rest := pem.Decode(certificate)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("there is no PEM certificate")
	}
	if next, _ := pem.Decode(rest); next != nil {
		return nil, errors.New("there is more than one certificate")
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, err
	}
	if !c.IsCA {
		return nil, errors.New("the certificate is not that of a CA")
	}
	if !key.PublicKey.Equal(c.PublicKey) {
		return nil, errors.New("the certificate is for another key")
	}
	return &issuer{c, key, certificate}, nil
}

func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, errors.New("there is no PEM private key")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	ec, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("the key is a %T, want ECDSA", key)
	}
	return ec, nil
}

// issue makes a serving certificate and its key, both PEM. It never outlives
// its CA.
func (i *issuer) issue(s subject, now time.Time) (certificate, key []byte, err error) {
	private, key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	notAfter := now.Add(leafValidity)
	if notAfter.After(i.certificate.NotAfter) {
		notAfter = i.certificate.NotAfter
	}
	template := &x509.Certificate{
		DNSNames:              s.dns,
		IPAddresses:           s.ips,
		NotBefore:             now.Add(-backdate),
		NotAfter:              notAfter,
		KeyUsage:              x509.KeyUsageDigitalSignature, // ECDSA signs handshakes, it encrypts no keys
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, i.certificate, private.Public(), i.key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), key, nil
}
