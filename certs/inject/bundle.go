package inject

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"
)

const certificateBlock = "CERTIFICATE"

// Bundle is a set of certificates to trust. It is immutable; the zero Bundle
// holds none.
type Bundle struct {
	certificates []*x509.Certificate // in the order of the text, each once
}

// ParseBundle reads PEM. It is stricter than the API server, which uses what it can and skips
// the rest: every block must be a certificate that can be parsed, so that nothing else, such as
// a private key or half a certificate, is copied into objects. Text between the blocks is
// allowed.
func ParseBundle(text []byte) (Bundle, error) {
	var b Bundle
	blocks := 0
	for rest := text; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		blocks++
		if block.Type != certificateBlock {
			return Bundle{}, fmt.Errorf("PEM block %d is not a CERTIFICATE but %q", blocks, block.Type)
		}
		if len(block.Headers) > 0 {
			return Bundle{}, fmt.Errorf("PEM block %d has headers, and clients would skip it; remove them", blocks)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return Bundle{}, fmt.Errorf("PEM block %d: %w", blocks, err)
		}
		if !b.has(c) {
			b.certificates = append(b.certificates, c)
		}
	}
	// pem.Decode passes over blocks that it cannot read.
	if begun := countBegins(text); begun != blocks {
		return Bundle{}, fmt.Errorf("%d of %d PEM blocks are malformed", begun-blocks, begun)
	}
	if blocks == 0 {
		return Bundle{}, errors.New("there is no PEM certificate")
	}
	return b, nil
}

func countBegins(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("-----BEGIN")) {
			n++
		}
	}
	return n
}

// usable reports whether the API server finds a certificate in the text. It is the API server's
// own check (k8s.io/client-go/transport).
func usable(text []byte) bool { return x509.NewCertPool().AppendCertsFromPEM(text) }

// blank reports whether the text is empty or white space. A manifest often holds a single line
// break, because the field was required in the past. The API server's conversion treats that as
// no bundle (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion).
func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// PEM returns the certificates without the other text of the file.
func (b Bundle) PEM() []byte {
	var text bytes.Buffer
	for _, c := range b.certificates {
		text.Write(pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: c.Raw}))
	}
	return text.Bytes()
}

// Empty reports whether this is the zero Bundle.
func (b Bundle) Empty() bool { return len(b.certificates) == 0 }

// Contains reports whether b has every certificate of other: a client that trusts b then trusts
// everything that other trusts.
func (b Bundle) Contains(other Bundle) bool {
	return !slices.ContainsFunc(other.certificates, func(c *x509.Certificate) bool { return !b.has(c) })
}

// shares reports whether some certificate is in both.
func (b Bundle) shares(other Bundle) bool { return slices.ContainsFunc(other.certificates, b.has) }

// Equal reports whether both hold the same certificates, in any order.
func (b Bundle) Equal(other Bundle) bool {
	return len(b.certificates) == len(other.certificates) && b.Contains(other)
}

// CheckTime returns an error if this bundle trusts nobody now: every certificate has expired or
// is not valid yet. One valid certificate is enough, because during the replacement of a CA the
// bundle also holds the old one.
//
// A certificate need not be that of a CA: an issuer that signs each certificate with its own
// key gives the serving certificate itself as its CA.
func (b Bundle) CheckTime(now time.Time) error {
	if b.Empty() {
		return errors.New("there is no certificate")
	}
	var last *x509.Certificate
	for _, c := range b.certificates {
		if !now.Before(c.NotBefore) && !now.After(c.NotAfter) {
			return nil
		}
		if last == nil || c.NotAfter.After(last.NotAfter) {
			last = c
		}
	}
	if now.After(last.NotAfter) {
		return fmt.Errorf("its last certificate expired on %s", last.NotAfter.UTC().Format(time.RFC3339))
	}
	return fmt.Errorf("its certificates are not valid before %s; is the clock right?", last.NotBefore.UTC().Format(time.RFC3339))
}

func (b Bundle) has(c *x509.Certificate) bool { return slices.ContainsFunc(b.certificates, c.Equal) }
