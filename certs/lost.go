package certs

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"slices"
	"time"
)

// A keyring can be lost, damaged, or restored from an old backup, while what it once issued is
// still served. Clients then trust CAs whose keys are gone. They may not trust a CA that the
// keyring has, or makes. So the CAs of what is served are retired, and whatever CA has a key is
// the next CA: it signs when a rotation to it is complete.
//
// A client that can write what is served could so add a CA of its own to every bundle, for 90
// days. It could impersonate the server for as long without that, because it also has the key
// of the serving certificate.

// ErrForeign means that what is served was not issued by Crosswalk's built-in authority. Another
// issuer writes it, so a leaf of the keyring must not replace it.
var ErrForeign = errors.New("another issuer has signed the serving certificate")

// usable returns what is served, or nil if no client accepts it. A leaf from the future is
// accepted by clients whose clock is right.
func usable(served map[string][]byte, now time.Time) *Pair {
	bundle := served[authorityCertificateFile]
	if len(bundle) == 0 {
		return nil // nobody knows whom clients trust
	}
	pair, err := parsePair(served[certificateFile], served[keyFile], bundle, now)
	if err == nil {
		return pair
	}
	leaf, err := tls.X509KeyPair(served[certificateFile], served[keyFile])
	if err != nil || leaf.Leaf == nil || !now.Before(leaf.Leaf.NotBefore) {
		return nil
	}
	pair, err = parsePair(served[certificateFile], served[keyFile], bundle, leaf.Leaf.NotBefore)
	if err != nil {
		return nil
	}
	return pair
}

// acceptedBy reports whether clients that trust these CAs accept a pair.
func acceptedBy(authorities []*x509.Certificate, pair *Pair, now time.Time) bool {
	roots := x509.NewCertPool()
	for _, c := range authorities {
		roots.AddCert(c)
	}
	leaf := pair.Leaf()
	if now.Before(leaf.NotBefore) {
		now = leaf.NotBefore
	}
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now})
	return err == nil
}

// adopt adds the CAs of what is served. If the key here has signed it, that was all. Otherwise
// the key that did is lost.
func (k *Keyring) adopt(now time.Time, c Conditions, served *Pair) (Step, error) {
	theirs := slices.DeleteFunc(certificatesIn(served.CABundle), func(c *x509.Certificate) bool {
		return !c.IsCA || c.Subject.CommonName != authorityName || now.After(c.NotAfter)
	})
	for _, c := range theirs {
		if !slices.ContainsFunc(k.trusted(), c.Equal) {
			k.retired = append(k.retired, c)
		}
	}
	for _, i := range []*issuer{k.signing, k.next} {
		if i != nil && i.certificate == nil {
			k.claim(i)
		}
	}
	switch {
	case k.signing.signed(served.Leaf()) && k.signing.certificate == nil:
		return StepRecovered, k.signing.selfSign(now)
	case k.signing.signed(served.Leaf()):
		return StepRecovered, nil
	case !acceptedBy(theirs, served, now):
		return StepNone, ErrForeign
	}
	k.limit(now, served)
	return StepLost, k.succeed(now, c)
}

// certificatesIn returns the certificates of a PEM text, without what is none.
func certificatesIn(text []byte) (all []*x509.Certificate) {
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			return all
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			all = append(all, c)
		}
		text = rest
	}
}

// succeed begins the rotation to the next CA if no CA signs what is served any more. That is
// the CA that has signed other certificates, if there is one, or a new one.
func (k *Keyring) succeed(now time.Time, c Conditions) error {
	k.record.Injected = nil
	if k.next == nil {
		k.next = k.signing
	} else if k.signing != nil && k.signing.certificate != nil {
		k.retired = append(k.retired, k.signing.certificate)
	}
	k.signing = nil
	if k.next.valid(now) {
		return nil
	}
	_, err := k.publish(now, c)
	return err
}

// limit drops the oldest retired CAs, except the one that has signed what is served, if a loop
// of losses has added too many.
func (k *Keyring) limit(now time.Time, served *Pair) {
	slices.SortFunc(k.retired, func(a, b *x509.Certificate) int { return a.NotBefore.Compare(b.NotBefore) })
	for i := 0; len(k.retired) > maxRetired && i < len(k.retired); {
		if acceptedBy(k.retired[i:i+1], served, now) {
			i++
			continue
		}
		k.retired = slices.Delete(k.retired, i, i+1)
	}
}
