package certs

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
)

// ParseKeyring reads what [Keyring.Data] returns. It ignores other keys. No data at all is an
// empty keyring. Data may be half written or damaged: [Keyring.Damage] says how, and
// [Keyring.Advance] repairs it. Data of releases that had only one CA is a keyring without a
// rotation.
func ParseKeyring(data map[string][]byte) *Keyring {
	k := &Keyring{}
	certificates, hasCertificates := data[authorityCertificateFile]
	if hasCertificates {
		if k.retired, k.damage.signing = parseAuthorities(certificates); k.damage.signing != nil {
			k.damage.signing = piece(authorityCertificateFile, k.damage.signing)
		}
	}
	text, hasKey := data[authorityKeyFile]
	signing, err := parseKey(text)
	switch {
	case hasKey && err != nil:
		k.damage.signing = piece(authorityKeyFile, err)
	case hasKey:
		// Without a certificate, the process that made the key was interrupted.
		k.signing = &issuer{key: signing, keyPEM: text}
		if k.claim(k.signing); k.signing.certificate == nil && len(k.retired) > 0 {
			k.signing, k.damage.signing = nil, piece(authorityCertificateFile, errors.New("no certificate in it is for ca.key"))
		}
	}
	if text, ok := data[nextKeyFile]; ok {
		next, err := parseKey(text)
		if err != nil {
			k.damage.next = piece(nextKeyFile, err)
		}
		switch {
		case err != nil:
		case k.signing != nil && next.Equal(k.signing.key):
			// An interrupted promotion leaves this. It is repeated if it was due.
			k.next, k.signing = k.signing, nil
		default:
			k.next = &issuer{key: next, keyPEM: text}
			k.claim(k.next)
		}
	}
	if !hasKey && hasCertificates && k.next == nil && k.damage.signing == nil {
		k.damage.signing = piece(authorityCertificateFile, errors.New("its key, ca.key, is missing"))
	}
	if text, ok := data[recordFile]; ok {
		if err := json.Unmarshal(text, &k.record); err != nil {
			k.record, k.damage.record = record{}, piece(recordFile, err)
		}
	}
	return k
}

// piece adds the name of a piece to what is wrong with it.
func piece(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

// claim takes the issuer's certificate out of the certificates without a known key. If several
// have this key, it takes the newest.
func (k *Keyring) claim(i *issuer) {
	at := -1
	for n, c := range k.retired {
		if i.key.PublicKey.Equal(c.PublicKey) && (at < 0 || c.NotAfter.After(k.retired[at].NotAfter)) {
			at = n
		}
	}
	if at >= 0 {
		i.certificate = k.retired[at]
		k.retired = slices.Delete(k.retired, at, at+1)
	}
}

// Data returns the keyring as a Secret's data or as the files of a folder: ca.crt, which is the
// bundle, and ca.key. During and after a rotation there are also next.key and rotation.json.
func (k *Keyring) Data() map[string][]byte {
	data := map[string][]byte{}
	if k.signing != nil {
		data[authorityKeyFile] = k.signing.keyPEM
	}
	if bundle := k.Bundle(); len(bundle) > 0 {
		data[authorityCertificateFile] = bundle
	}
	if k.next != nil {
		data[nextKeyFile] = k.next.keyPEM
	}
	if r := k.record; r.Handled != "" || r.Injected != nil || len(r.Retired) > 0 {
		text, err := json.Marshal(r)
		if err != nil {
			// Strings, and times of this millennium, can always be encoded.
			panic(err)
		}
		data[recordFile] = append(text, '\n')
	}
	return data
}

// KeyringPieces returns the keys that [Keyring.Data] may have, in the order in which a keeper
// must write them if it cannot write them atomically. Before the last, it removes the pieces
// that Data does not have.
func KeyringPieces() []string {
	// A key comes before its certificate. A key without a certificate is unused and gets an
	// equal CA, but a certificate without its key is of no use. The record comes last: what it
	// says of the next CA then holds for as long as there is next.key.
	return []string{nextKeyFile, authorityKeyFile, authorityCertificateFile, recordFile}
}

// parseAuthorities reads CA certificates, each once.
func parseAuthorities(text []byte) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		if block.Type != certificateBlock {
			return nil, fmt.Errorf("it has a %s among its certificates", block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		if !c.IsCA {
			return nil, errors.New("a certificate in it is not that of a CA")
		}
		if !slices.ContainsFunc(all, c.Equal) {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is no PEM certificate")
	}
	return all, nil
}
