package certs

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"slices"
	"testing"
)

// certificate returns the DER of a certificate for public that signer signs. It is larger by
// padding than a minimal one.
func certificate(t *testing.T, public crypto.PublicKey, signer crypto.Signer, padding int) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), // a random one differs in length
		NotBefore:    newClock().at.Add(-day), NotAfter: newClock().at.Add(day), DNSNames: []string{"a.svc"},
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Value: make([]byte, padding)}},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, signer)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func chainPEM(chain ...[]byte) []byte {
	var text []byte
	for _, der := range chain {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: der})...)
	}
	return text
}

func keyPEM(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: der})
}

// TestAccepted: a certificate that no client accepts is not a pair, whoever has signed it.
func TestAccepted(t *testing.T) {
	// An Ed25519 signature always has 64 bytes, so that sizes are known.
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	leaf := certificate(t, public, key, 0)
	// of returns a certificate of exactly this many bytes.
	of := func(size int) []byte {
		const near = 64_000 // of which DER writes lengths in as many bytes
		around := len(certificate(t, public, key, near)) - near
		padded := certificate(t, public, key, size-around)
		if len(padded) != size {
			t.Fatalf("%d bytes, want %d", len(padded), size)
		}
		return padded
	}
	small, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	large, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	usual, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaOf := func(bits uint) *rsa.PublicKey {
		return &rsa.PublicKey{N: new(big.Int).SetBit(big.NewInt(1), int(bits)-1, 1), E: 65537}
	}
	tests := []struct {
		name  string
		chain [][]byte
		key   any
		want  string
	}{
		{"ten certificates", slices.Repeat([][]byte{leaf}, 10), key, ""},
		{"eleven certificates", slices.Repeat([][]byte{leaf}, 11), key,
			"tls.crt holds 11 certificates, and clients accept 10: keep the serving certificate and its intermediates there, nothing else"},
		{"64 KiB", [][]byte{leaf, of(maxChainSize - len(leaf))}, key, ""},
		{"a byte more", [][]byte{leaf, of(maxChainSize - len(leaf) + 1)}, key,
			"the certificates of tls.crt are 65537 bytes, and clients accept 65536: keep the serving certificate and its intermediates there, nothing else"},
		{"an intermediate of 8192 bits", [][]byte{leaf, certificate(t, rsaOf(8192), key, 0)}, key, ""},
		{"an intermediate of 16384 bits", [][]byte{leaf, certificate(t, rsaOf(16384), key, 0)}, key,
			"certificate 2 of tls.crt has an RSA key of 16384 bits, and clients accept 8192: issue it with a smaller one"},
		{"an intermediate that is none", [][]byte{leaf, []byte("hello")}, key, "certificate 2 of tls.crt: x509: malformed certificate"},
		{"a curve that TLS does not know", [][]byte{certificate(t, small.Public(), small, 0)}, small,
			"no client accepts the key of the certificate: tls: unsupported certificate curve (P-224); issue it with another one, such as ECDSA with P-256"},
		{"another that TLS knows", [][]byte{certificate(t, large.Public(), large, 0)}, large, ""},
		{"RSA", [][]byte{certificate(t, usual.Public(), usual, 0)}, usual, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pair, err := parsePair(chainPEM(test.chain...), keyPEM(t, test.key), nil, newClock().at)
			if test.want != "" {
				wantError(t, err, test.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(pair.Leaf().Raw, test.chain[0]) {
				t.Error("another leaf is served")
			}
		})
	}
}
