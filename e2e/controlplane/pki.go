package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validity of everything made here. A control plane for tests that is kept
// longer is made anew by removing its pki folder.
const validity = 365 * 24 * time.Hour

// pki holds the paths of a control plane's keys and certificates.
type pki struct {
	caCert, serverCert, serverKey     string
	adminCert, adminKey               string
	frontProxyCA, proxyCert, proxyKey string
	serviceAccountKey                 string
}

// newPKI makes what is missing in dir and leaves what is there, so that clients
// of an earlier run on the same directory are still believed.
func newPKI(dir string) (pki, error) {
	in := func(name string) string { return filepath.Join(dir, name) }
	p := pki{
		caCert: in("ca.crt"), serverCert: in("apiserver.crt"), serverKey: in("apiserver.key"),
		adminCert: in("admin.crt"), adminKey: in("admin.key"),
		frontProxyCA: in("front-proxy-ca.crt"), proxyCert: in("front-proxy.crt"), proxyKey: in("front-proxy.key"),
		serviceAccountKey: in("sa.key"),
	}
	// The service account key is written last: where it exists, all of it does.
	if _, err := os.Stat(p.serviceAccountKey); err == nil {
		return p, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return p, err
	}
	if err := p.make(time.Now()); err != nil {
		return p, fmt.Errorf("make certificates in %s: %w", dir, err)
	}
	return p, nil
}

func (p pki) make(now time.Time) error {
	ca, err := newAuthority("controlplane-ca", now, p.caCert)
	if err != nil {
		return err
	}
	err = ca.issue(leaf{
		name:  pkix.Name{CommonName: "kube-apiserver"},
		usage: x509.ExtKeyUsageServerAuth,
		dns: []string{"localhost", "kubernetes", "kubernetes.default",
			"kubernetes.default.svc", "kubernetes.default.svc.cluster.local"},
		ips: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)},
	}, p.serverCert, p.serverKey)
	if err != nil {
		return err
	}
	// Members of system:masters pass every authorization check:
	// https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles
	err = ca.issue(leaf{
		name:  pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		usage: x509.ExtKeyUsageClientAuth,
	}, p.adminCert, p.adminKey)
	if err != nil {
		return err
	}
	// Aggregated API servers believe user headers from this client only.
	front, err := newAuthority("front-proxy-ca", now, p.frontProxyCA)
	if err != nil {
		return err
	}
	err = front.issue(leaf{
		name:  pkix.Name{CommonName: "front-proxy-client"},
		usage: x509.ExtKeyUsageClientAuth,
	}, p.proxyCert, p.proxyKey)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	return writeKey(p.serviceAccountKey, key)
}

// authority signs certificates. Its key is never written: nobody needs a further
// certificate after the control plane's directory is made.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	now  time.Time
}

// leaf is what a certificate says about its owner.
type leaf struct {
	name  pkix.Name
	usage x509.ExtKeyUsage
	dns   []string
	ips   []net.IP
}

func newAuthority(name string, now time.Time, certPath string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             now.Add(-time.Minute),
		NotAfter:              now.Add(validity),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{cert: cert, key: key, now: now}, writeCert(certPath, der)
}

func (a *authority) issue(l leaf, certPath, keyPath string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      l.name,
		NotBefore:    a.now.Add(-time.Minute),
		NotAfter:     a.now.Add(validity),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{l.usage},
		DNSNames:     l.dns,
		IPAddresses:  l.ips,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return err
	}
	if err := writeKey(keyPath, key); err != nil {
		return err
	}
	return writeCert(certPath, der)
}

func writeCert(path string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	// SEC 1, because the API server's reader of service account keys knows it.
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
