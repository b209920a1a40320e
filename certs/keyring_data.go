package certs

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
)

// PieceError names a piece of a keyring's data that cannot be used, and the reason. A CA that
// clients may trust is never replaced because of it: the remedy is to restore the piece.
type PieceError struct {
	Piece string // a key of the data, such as ca.key
	Err   error
}

func (e *PieceError) Error() string { return e.Piece + ": " + e.Err.Error() }
func (e *PieceError) Unwrap() error { return e.Err }

// ParseKeyring reads what [Keyring.Data] returns. It ignores other keys. No data at all is an
// empty keyring. The error is a [*PieceError].
//
// Data may be half written: see [Keyring.Advance]. Data of releases that had only one CA is a
// keyring without a rotation.
func ParseKeyring(data map[string][]byte) (*Keyring, error) {
	k := &Keyring{}
	certificates, isThere := data[authorityCertificateFile]
	keyText, hasKey := data[authorityKeyFile]
	if !hasKey {
		if isThere {
			return nil, &PieceError{authorityCertificateFile, errors.New("its key, ca.key, is missing")}
		}
		return k, nil
	}
	signing, err := parseKey(keyText)
	if err != nil {
		return nil, &PieceError{authorityKeyFile, err}
	}
	k.signing = &issuer{key: signing, keyPEM: keyText}
	if isThere { // else the process that made the key was interrupted
		if k.retired, err = parseAuthorities(certificates); err != nil {
			return nil, &PieceError{authorityCertificateFile, err}
		}
		if k.claim(k.signing); k.signing.certificate == nil {
			return nil, &PieceError{authorityCertificateFile, errors.New("no certificate in it is for ca.key")}
		}
	}
	if text, ok := data[nextKeyFile]; ok {
		next, err := parseKey(text)
		k.damage.next = err != nil
		// Two equal keys are what an interrupted promotion leaves.
		if err == nil && !next.Equal(signing) {
			k.next = &issuer{key: next, keyPEM: text}
			k.claim(k.next)
		}
	}
	if text, ok := data[recordFile]; ok && json.Unmarshal(text, &k.record) != nil {
		k.record, k.damage.record = record{}, true
	}
	return k, nil
}

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
	if k.signing == nil {
		return data
	}
	data[authorityKeyFile] = k.signing.keyPEM
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
// must write them if it cannot write them atomically. After all others are written, it removes
// the pieces that Data does not have.
func KeyringPieces() []string {
	// A key comes before its certificate. A key without a certificate is unused and gets an
	// equal CA, but a certificate without its key is of no use.
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
