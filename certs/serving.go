package certs

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"time"
)

// ErrForeign means that a serving certificate was issued by a CA that the keyring does not
// know, and that clients may trust.
var ErrForeign = errors.New("the serving certificate was issued by a CA that the authority does not know")

// CheckServing returns [ErrForeign] if another issuer has made what is served (tls.crt, tls.key
// and ca.crt). A new leaf of this keyring would then cut off clients. It happens if the
// authority was lost, was restored from an old backup, or was never the issuer.
func (k *Keyring) CheckServing(now time.Time, held map[string][]byte) error {
	bundle := held[authorityCertificateFile]
	if len(bundle) == 0 {
		return nil
	}
	if k.Empty() {
		if anyUnexpired(bundle, now) {
			return ErrForeign
		}
		return nil
	}
	pair, err := parsePair(held[certificateFile], held[keyFile], bundle, now)
	if err != nil {
		return nil // damaged, so no client uses it
	}
	ours := &Pair{Certificate: pair.Certificate, CABundle: k.Bundle()}
	if ours.verify(now) != nil {
		return ErrForeign
	}
	return nil
}

// Serving returns what to serve: tls.crt, tls.key and, as ca.crt, the bundle. It keeps the leaf
// in held if that is fit. Otherwise it issues a leaf for these names (see [ServiceNames]), and
// why is what is wrong with the old one.
//
// A leaf is renewed when a third of its life is left. Call [Keyring.Advance] before, until no
// step is due.
func (k *Keyring) Serving(now time.Time, names []string, held map[string][]byte) (data map[string][]byte, why string, err error) {
	s, err := parseNames(names)
	if err != nil {
		return nil, "", err
	}
	if k.signing == nil || k.signing.certificate == nil {
		return nil, "", errors.New("there is no CA to sign with")
	}
	data = map[string][]byte{
		certificateFile:          held[certificateFile],
		keyFile:                  held[keyFile],
		authorityCertificateFile: k.Bundle(),
	}
	if why = k.unfit(now, s, data); why == "" {
		return data, "", nil
	}
	certificate, key, err := k.signing.issue(s, now)
	if err != nil {
		return nil, "", err
	}
	maps.Copy(data, map[string][]byte{certificateFile: certificate, keyFile: key})
	return data, why, nil
}

// unfit returns what is wrong with a leaf, or "".
func (k *Keyring) unfit(now time.Time, s subject, data map[string][]byte) string {
	if len(data[certificateFile]) == 0 && len(data[keyFile]) == 0 {
		return "there is none"
	}
	pair, err := parsePair(data[certificateFile], data[keyFile], data[authorityCertificateFile], now)
	if err != nil {
		return err.Error()
	}
	switch leaf := pair.Leaf(); {
	case !bytes.Equal(leaf.RawIssuer, k.signing.certificate.RawSubject) || leaf.CheckSignatureFrom(k.signing.certificate) != nil:
		return "another CA signs now"
	case !s.matches(leaf):
		return fmt.Sprintf("the names are now %q", s.sorted())
	case k.signing.renewalDue(leaf, now):
		return "it expires on " + date(leaf.NotAfter)
	}
	return ""
}

func anyUnexpired(bundle []byte, now time.Time) bool {
	for {
		block, rest := pem.Decode(bundle)
		if block == nil {
			return false
		}
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && !now.After(c.NotAfter) {
			return true
		}
		bundle = rest
	}
}
