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
	// authorityValidity is how long the CA is valid. Replacing a CA means changing every CRD,
	// so it is longer than anybody leaves a cluster alone.
	authorityValidity = 10 * 365 * 24 * time.Hour
	// leafValidity is how long a serving certificate is valid. Renewal costs nothing, so this
	// is short, but long enough to leave a month in which to notice that renewal fails.
	leafValidity = 90 * 24 * time.Hour
	// backdate allows for clients whose clock is behind.
	backdate = time.Hour
)

// authorityName is the common name of every CA. It tells CAs of the built-in authority from
// those of other issuers.
const authorityName = "Crosswalk built-in authority"

// The types of PEM blocks.
const (
	certificateBlock = "CERTIFICATE"
	keyBlock         = "PRIVATE KEY"
)

// lastPart reports whether less than 1/n of c's life is left.
func lastPart(n time.Duration, c *x509.Certificate, now time.Time) bool {
	return now.After(c.NotAfter.Add(-c.NotAfter.Sub(c.NotBefore) / n))
}

// rotationDue reports whether it is time for a next CA: whether a tenth of the CA's life is
// left. For our own CA that is a year, enough for an operator who must change bundles by hand.
func rotationDue(ca *x509.Certificate, now time.Time) bool { return lastPart(10, ca, now) }

// newKey makes a key and its PEM. Go's crypto takes its randomness from the system, whatever
// reader it is given (crypto/ecdsa, since Go 1.26), so there is no reader to pass in. The same
// holds for serial numbers, which x509 makes.
func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: der}), nil
}

func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != keyBlock {
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

// issuer is a CA with its key. The certificate is nil if the process that made the key was
// interrupted.
type issuer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	keyPEM      []byte
}

// renew replaces a CA, or the lack of one, with a new CA.
func renew(place **issuer, now time.Time) error {
	key, text, err := newKey()
	if err != nil {
		return err
	}
	*place = &issuer{key: key, keyPEM: text}
	return (*place).selfSign(now)
}

// selfSign makes a CA certificate for the key.
func (i *issuer) selfSign(now time.Time) error {
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: authorityName},
		NotBefore: now.Add(-backdate),
		NotAfter:  now.Add(authorityValidity),
		KeyUsage:  x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		IsCA:      true, BasicConstraintsValid: true, MaxPathLenZero: true, // signs leaves only
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, i.key.Public(), i.key)
	if err != nil {
		return err
	}
	i.certificate, err = x509.ParseCertificate(der)
	return err
}

// signed reports whether the key has signed a leaf.
func (i *issuer) signed(leaf *x509.Certificate) bool {
	if i == nil {
		return false
	}
	signer := &x509.Certificate{PublicKey: i.key.Public(), PublicKeyAlgorithm: x509.ECDSA}
	return signer.CheckSignature(leaf.SignatureAlgorithm, leaf.RawTBSCertificate, leaf.Signature) == nil
}

func (i *issuer) expired(now time.Time) bool { return now.After(i.certificate.NotAfter) }

// valid reports whether the CA can sign now.
func (i *issuer) valid(now time.Time) bool {
	return i != nil && i.certificate != nil && !i.expired(now) && !now.Before(i.certificate.NotBefore)
}

// leafExpiry is when a leaf issued now expires: never after its CA.
func (i *issuer) leafExpiry(now time.Time) time.Time {
	expiry := now.Add(leafValidity)
	if expiry.After(i.certificate.NotAfter) {
		return i.certificate.NotAfter
	}
	return expiry
}

// renewalDue reports whether less than a third of a leaf's life is left and a new leaf would
// live longer. At the end of its CA's life it would not.
func (i *issuer) renewalDue(leaf *x509.Certificate, now time.Time) bool {
	return lastPart(3, leaf, now) && i.leafExpiry(now).After(leaf.NotAfter)
}

// issue makes a serving certificate and its key, both PEM.
func (i *issuer) issue(s subject, now time.Time) (certificate, key []byte, err error) {
	private, key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		DNSNames:              s.dns,
		IPAddresses:           s.ips,
		NotBefore:             now.Add(-backdate),
		NotAfter:              i.leafExpiry(now),
		KeyUsage:              x509.KeyUsageDigitalSignature, // ECDSA signs handshakes, it encrypts no keys
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, i.certificate, private.Public(), i.key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: der}), key, nil
}
