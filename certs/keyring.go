package certs

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"maps"
	"slices"
	"time"
)

// Keyring is the state of the built-in authority: the CA that signs, during a rotation the next
// CA, and retired CAs, which sign no more but are still trusted, because leaves of theirs may
// still be served. If the key of the CA that signed was lost, that CA is retired, and until the
// next CA signs, none does.
//
// A Keyring is immutable and does no input or output. Its keeper reads it with [ParseKeyring],
// calls [Keyring.Advance] until no step is due, and writes [Keyring.Data] after each step. Then
// the keeper publishes [Keyring.Bundle], and after that serves what [Keyring.Serving] returns.
type Keyring struct {
	signing *issuer // nil if there is no CA yet, or if its key was lost
	next    *issuer // nil except during a rotation
	retired []*x509.Certificate
	record  record
	damage  damage
}

// record holds what the certificates and keys do not tell. If it is lost, it is rebuilt with
// safe assumptions.
type record struct {
	// Handled is the last request to rotate that was followed.
	Handled string `json:"handled,omitempty"`
	// Injected is the time since which every bundle holds the next CA.
	Injected *time.Time `json:"injected,omitempty"`
	// Retired maps the SHA-256 of a retired CA's certificate to the time when its last leaf has
	// expired.
	Retired map[string]time.Time `json:"retired,omitempty"`
}

// damage is what is wrong with the pieces of a keyring. The next step repairs it.
type damage struct{ signing, next, record error }

// Empty reports whether no CA has a key.
func (k *Keyring) Empty() bool { return k.signing == nil && k.next == nil }

// Damage returns what is wrong with the pieces that were read, or nil. The next step repairs
// it.
func (k *Keyring) Damage() error {
	return errors.Join(k.damage.signing, k.damage.next, k.damage.record)
}

// Lost reports whether the key of the CA that signed was lost, and the next CA does not sign
// yet. What is served cannot be renewed meanwhile.
func (k *Keyring) Lost() bool { return k.signing == nil && k.next != nil }

// Rotating reports whether a next CA waits to sign. Only then does [Conditions.Injected]
// matter.
func (k *Keyring) Rotating() bool { return k.next != nil }

// Expiry is when the CA that signs expires. It is zero if none signs.
func (k *Keyring) Expiry() time.Time {
	if k.signing == nil || k.signing.certificate == nil {
		return time.Time{}
	}
	return k.signing.certificate.NotAfter
}

// Bundle is the PEM for a caBundle: every CA that clients must trust, the oldest first. It
// stays the same, byte for byte, when the next CA begins to sign.
func (k *Keyring) Bundle() []byte {
	var text bytes.Buffer
	for _, c := range k.trusted() {
		text.Write(certificatePEM(c))
	}
	return text.Bytes()
}

func (k *Keyring) trusted() []*x509.Certificate {
	all := slices.Clone(k.retired)
	for _, i := range []*issuer{k.signing, k.next} {
		if i != nil && i.certificate != nil {
			all = append(all, i.certificate)
		}
	}
	slices.SortFunc(all, func(a, b *x509.Certificate) int {
		if c := a.NotBefore.Compare(b.NotBefore); c != 0 {
			return c
		}
		return bytes.Compare(a.Raw, b.Raw)
	})
	return all
}

func (k *Keyring) clone() *Keyring {
	c := *k
	for _, place := range []**issuer{&c.signing, &c.next} {
		if *place != nil {
			i := **place
			*place = &i
		}
	}
	c.retired = slices.Clone(k.retired)
	c.record.Retired = maps.Clone(k.record.Retired)
	return &c
}

func certificatePEM(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: c.Raw})
}

func fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}
