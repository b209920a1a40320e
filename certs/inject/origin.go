package inject

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Origin is a bundle and the certificate that it came with: the certificate that the server
// presents when the API server calls it.
type Origin struct {
	Bundle Bundle
	// Certificate is nil if it is not known.
	Certificate *x509.Certificate
}

const caFile = "ca.crt"

// Public returns a copy of a Secret without the secret parts: with what [FromSecret] reads.
func Public(secret *corev1.Secret) *corev1.Secret {
	return &corev1.Secret{Data: map[string][]byte{caFile: secret.Data[caFile], corev1.TLSCertKey: secret.Data[corev1.TLSCertKey]}}
}

// FromSecret reads the Secret of a server's certificate. The CA is its ca.crt. Without ca.crt,
// a self-signed certificate in tls.crt is its own CA. A Secret with ca.crt alone is accepted,
// too. The key is not read.
//
// FromSecret rejects a ca.crt that has not signed the certificate beside it: it is the CA of
// somebody else, such as the clients of the server.
func FromSecret(secret *corev1.Secret, now time.Time) (Origin, error) {
	chain := certificates(secret.Data[corev1.TLSCertKey])
	ca := secret.Data[caFile]
	switch {
	case !blank(ca):
	case len(chain) > 0 && signsItself(chain[0]):
		alone := Bundle{chain[:1]}
		if err := alone.CheckTime(now); err != nil {
			return Origin{}, fmt.Errorf("its %s, which is self-signed: %w; renew it", corev1.TLSCertKey, err)
		}
		return Origin{alone, chain[0]}, nil
	default:
		return Origin{}, fmt.Errorf("it has no %s; add the CA that has signed its %s", caFile, corev1.TLSCertKey)
	}
	bundle, err := ParseBundle(ca)
	if err == nil {
		err = bundle.CheckTime(now)
	}
	if err != nil {
		return Origin{}, fmt.Errorf("its %s: %w; put the certificate of the CA there", caFile, err)
	}
	if len(chain) == 0 {
		return Origin{Bundle: bundle}, nil
	}
	if err := bundle.verifies(chain, now); err != nil {
		return Origin{}, fmt.Errorf("its %s has not signed its %s (%w); put the CA there that has", caFile, corev1.TLSCertKey, err)
	}
	return Origin{bundle, chain[0]}, nil
}

// Misnamed returns those places where the API server would ask for a name that the certificate
// does not have. It returns none if the certificate is not known.
func (o Origin) Misnamed(places []Place) []Place {
	if o.Certificate == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		return p.Server == "" || o.Certificate.VerifyHostname(p.Server) == nil
	})
}

// Names lists the names of the certificate, as many as fit in a sentence.
func (o Origin) Names() string {
	if o.Certificate == nil {
		return ""
	}
	names := slices.Clone(o.Certificate.DNSNames)
	for _, address := range o.Certificate.IPAddresses {
		names = append(names, address.String())
	}
	const room = 5
	switch {
	case len(names) == 0:
		return "no name"
	case len(names) > room:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:room], ", "), len(names)-room)
	}
	return strings.Join(names, ", ")
}

// certificates reads a chain as servers do, the leaf first, up to the first certificate that
// cannot be read.
func certificates(text []byte) []*x509.Certificate {
	var chain []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != certificateBlock {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			break
		}
		chain = append(chain, c)
	}
	return chain
}

func signsItself(c *x509.Certificate) bool {
	return c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// verifies returns why clients that trust b would not trust a server with this chain. An
// expired certificate is a fault of the server, so it is judged by its last valid moment.
func (b Bundle) verifies(chain []*x509.Certificate, now time.Time) error {
	switch leaf := chain[0]; {
	case now.After(leaf.NotAfter):
		now = leaf.NotAfter
	case now.Before(leaf.NotBefore):
		now = leaf.NotBefore
	}
	options := x509.VerifyOptions{
		Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(),
		CurrentTime: now, // and the default key usage is that of a server
	}
	for _, c := range b.certificates {
		options.Roots.AddCert(c)
	}
	for _, c := range chain[1:] {
		options.Intermediates.AddCert(c)
	}
	_, err := chain[0].Verify(options)
	return err
}
