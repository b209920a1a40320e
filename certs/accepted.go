package certs

import (
	"crypto/rsa"
	"crypto/tls"
	"fmt"
)

// Clients accept certificates of different sizes, and a server cannot ask them for their
// limits. OpenSSL takes 100 kB of certificates and Go 256 KiB. Each client also limits the
// number. No issuer needs more than these limits.
const (
	maxChain     = 10
	maxChainSize = 64 << 10
	// maxRSABits is Go's limit for each certificate of a chain, and so the limit of every API
	// server.
	maxRSABits = 8192
)

// hello offers what a client of TLS 1.3 offers, such as an API server.
var hello = tls.ClientHelloInfo{
	SupportedVersions: []uint16{tls.VersionTLS13},
	SignatureSchemes: []tls.SignatureScheme{
		tls.ECDSAWithP256AndSHA256, tls.ECDSAWithP384AndSHA384, tls.ECDSAWithP521AndSHA512, tls.Ed25519,
		tls.PSSWithSHA256, tls.PSSWithSHA384, tls.PSSWithSHA512,
	},
}

// accepted checks that TLS clients can use the pair: that the chain is not too long and not too
// large, and that TLS has a use for its keys. It does not check whether a client trusts the
// chain: see [Pair.TrustedBy].
func (p *Pair) accepted() error {
	const remedy = "keep the serving certificate and its intermediates there, nothing else"
	chain, err := p.chain()
	if err != nil {
		return err
	}
	if len(chain) > maxChain {
		return fmt.Errorf("%s holds %d certificates, and clients accept %d: %s", certificateFile, len(chain), maxChain, remedy)
	}
	size := 0
	for i, c := range chain {
		size += len(c.Raw)
		if key, ok := c.PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() > maxRSABits {
			return fmt.Errorf("certificate %d of %s has an RSA key of %d bits, and clients accept %d: issue it with a smaller one",
				i+1, certificateFile, key.N.BitLen(), maxRSABits)
		}
	}
	if size > maxChainSize {
		return fmt.Errorf("the certificates of %s are %d bytes, and clients accept %d: %s", certificateFile, size, maxChainSize, remedy)
	}
	if err := hello.SupportsCertificate(p.Certificate); err != nil {
		return fmt.Errorf("no client accepts the key of the certificate: %w; issue it with another one, such as ECDSA with P-256", err)
	}
	return nil
}
