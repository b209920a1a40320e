package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

// Pair is a serving certificate and the CAs that clients need to trust it. It is immutable.
type Pair struct {
	// Certificate holds the chain and the key. Its Leaf is set.
	Certificate *tls.Certificate
	// CABundle is the PEM for a caBundle. It may be empty if the issuer is not known, such as
	// in a folder without ca.crt.
	CABundle []byte
}

// Leaf is the serving certificate.
func (p *Pair) Leaf() *x509.Certificate { return p.Certificate.Leaf }

// parsePair makes a pair of three PEM texts. It checks that they belong together and that
// clients accept them. With a nil CA bundle it does not check who has signed the certificate.
// An empty bundle that is not nil is a file that is being written.
func parsePair(certificate, key, caBundle []byte, now time.Time) (*Pair, error) {
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err // the caller adds the name of the file
	}
	if pair.Leaf == nil {
		return nil, errors.New("there is no leaf certificate")
	}
	if now.After(pair.Leaf.NotAfter) {
		return nil, fmt.Errorf("the certificate expired on %s", date(pair.Leaf.NotAfter))
	}
	if now.Before(pair.Leaf.NotBefore) {
		return nil, fmt.Errorf("the certificate is not valid before %s; is the clock right?", date(pair.Leaf.NotBefore))
	}
	p := &Pair{Certificate: &pair, CABundle: bytes.Clone(caBundle)}
	if err := p.accepted(); err != nil {
		return nil, err
	}
	if caBundle == nil {
		return p, nil
	}
	return p, p.TrustedBy(p.CABundle, now)
}

// chain returns the leaf and its intermediates.
func (p *Pair) chain() ([]*x509.Certificate, error) {
	chain := []*x509.Certificate{p.Leaf()}
	for i, der := range p.Certificate.Certificate[1:] {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, fmt.Errorf("certificate %d of %s: %w", i+2, certificateFile, err)
		}
		chain = append(chain, c)
	}
	return chain, nil
}

// TrustedBy returns an error if a client that has this CA bundle, as PEM, does not trust the
// certificate.
func (p *Pair) TrustedBy(bundle []byte, now time.Time) error {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return errors.New("the CA bundle has no certificate")
	}
	chain, err := p.chain()
	if err != nil {
		return err
	}
	intermediates := x509.NewCertPool()
	for _, c := range chain[1:] {
		intermediates.AddCert(c)
	}
	// The default key usage is that of a server.
	_, err = p.Leaf().Verify(x509.VerifyOptions{Roots: roots, Intermediates: intermediates, CurrentTime: now})
	if err != nil {
		return fmt.Errorf("the certificate is not signed by the CA bundle: %w", err)
	}
	return nil
}

// equal reports whether two pairs are the same to every client.
func (p *Pair) equal(q *Pair) bool {
	if p == nil || q == nil {
		return p == q
	}
	return bytes.Equal(p.CABundle, q.CABundle) && len(p.Certificate.Certificate) == len(q.Certificate.Certificate) &&
		bytes.Equal(bytes.Join(p.Certificate.Certificate, nil), bytes.Join(q.Certificate.Certificate, nil))
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
