package certs

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"time"
)

// Serving returns what to serve: tls.crt, tls.key and, as ca.crt, the bundle. It keeps the leaf
// in held if that is fit. Otherwise it issues a leaf for these names (see [ServiceNames]), and
// why is what is wrong with the old one.
//
// A leaf is renewed when a third of its life is left, but not while [Keyring.Lost]. Call [Keyring.Advance] before, until no
// step is due.
func (k *Keyring) Serving(now time.Time, names []string, held map[string][]byte) (data map[string][]byte, why string, err error) {
	s, err := parseNames(names)
	if err != nil {
		return nil, "", err
	}
	data = map[string][]byte{
		certificateFile:          held[certificateFile],
		keyFile:                  held[keyFile],
		authorityCertificateFile: k.Bundle(),
	}
	if k.Lost() {
		return data, "", nil
	}
	if k.signing == nil || k.signing.certificate == nil {
		return nil, "", errors.New("there is no CA to sign with")
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
