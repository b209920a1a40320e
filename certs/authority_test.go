package certs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestAuthorityCertificates(t *testing.T) {
	c := newClock()
	a := makeAuthority(t, filepath.Join(t.TempDir(), "made", "here"), c, append(ServiceNames("crosswalk", "system"), "localhost", "127.0.0.1")...)
	pair := current(t, a)
	leaf := pair.Leaf()
	if want := []string{"crosswalk.system.svc", "crosswalk.system.svc.cluster.local", "crosswalk.system", "localhost"}; !slices.Equal(leaf.DNSNames, want) {
		t.Errorf("DNS names %q, want %q", leaf.DNSNames, want)
	}
	if len(leaf.IPAddresses) != 1 || leaf.IPAddresses[0].String() != "127.0.0.1" {
		t.Errorf("IP addresses %v", leaf.IPAddresses)
	}
	if leaf.Subject.String() != "" {
		t.Errorf("subject %q: want alternative names only", leaf.Subject)
	}
	if leaf.KeyUsage != x509.KeyUsageDigitalSignature || !slices.Equal(leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) || leaf.IsCA {
		t.Errorf("leaf usage %v %v, CA %v", leaf.KeyUsage, leaf.ExtKeyUsage, leaf.IsCA)
	}
	if life := leaf.NotAfter.Sub(c.at); life != leafValidity {
		t.Errorf("valid for another %v", life)
	}
	if key, ok := leaf.PublicKey.(*ecdsa.PublicKey); !ok || key.Curve != elliptic.P256() {
		t.Errorf("key %T", leaf.PublicKey)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pair.CABundle)
	for _, name := range []string{"crosswalk.system.svc", "crosswalk.system.svc.cluster.local", "127.0.0.1"} {
		chains, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: c.at})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ca := chains[0][len(chains[0])-1]
		if !ca.IsCA || !ca.MaxPathLenZero || ca.KeyUsage != x509.KeyUsageCertSign|x509.KeyUsageCRLSign {
			t.Errorf("CA %v, path length zero %v, usage %v", ca.IsCA, ca.MaxPathLenZero, ca.KeyUsage)
		}
		if ca.SerialNumber.Cmp(leaf.SerialNumber) == 0 || leaf.SerialNumber.BitLen() < 64 {
			t.Errorf("serial numbers %v and %v", ca.SerialNumber, leaf.SerialNumber)
		}
	}
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "other.system.svc", CurrentTime: c.at}); err == nil {
		t.Error("another Service's name is accepted")
	}
}

func TestAuthorityFileModes(t *testing.T) {
	dir := t.TempDir()
	makeAuthority(t, dir, newClock(), "localhost")
	want := map[string]fs.FileMode{".lock": 0o600, "ca.crt": 0o644, "ca.key": 0o600, "tls.crt": 0o644, "tls.key": 0o600}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode, ok := want[e.Name()]; !ok || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", e.Name(), info.Mode(), mode)
		}
		delete(want, e.Name())
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// TestAuthorityKeepsAndRenews lists what makes the authority issue anew. Everything else leaves
// the files as they are.
func TestAuthorityKeepsAndRenews(t *testing.T) {
	flip := func(name string) func(*testing.T, string, *clock) {
		return func(t *testing.T, dir string, _ *clock) {
			put(t, dir, name, append(readFile(t, dir, name)[:40], "…"...))
		}
	}
	tests := []struct {
		name          string
		change        func(*testing.T, string, *clock)
		names         []string
		sameCA, sameL bool
	}{
		{"nothing", func(*testing.T, string, *clock) {}, nil, true, true},
		{"names in another order", func(*testing.T, string, *clock) {}, []string{"b.ns.svc", "A.ns.svc"}, true, true},
		{"a month", func(_ *testing.T, _ string, c *clock) { c.advance(30 * day) }, nil, true, true},
		{"one name fewer", func(*testing.T, string, *clock) {}, []string{"a.ns.svc"}, true, false},
		{"one name more", func(*testing.T, string, *clock) {}, []string{"a.ns.svc", "b.ns.svc", "::1"}, true, false},
		{"two thirds of the leaf's life", func(_ *testing.T, _ string, c *clock) { c.advance(61 * day) }, nil, true, false},
		{"an expired leaf", func(_ *testing.T, _ string, c *clock) { c.advance(91 * day) }, nil, true, false},
		{"an expired CA", func(_ *testing.T, _ string, c *clock) { c.advance(authorityValidity + day) }, nil, false, false},
		{"a clock set back", func(_ *testing.T, _ string, c *clock) {}, nil, true, true},
		{"a broken leaf", flip("tls.crt"), nil, true, false},
		{"a broken leaf key", flip("tls.key"), nil, true, false},
		{"no leaf", func(t *testing.T, dir string, _ *clock) { remove(t, dir, "tls.crt") }, nil, true, false},
		{"no leaf key", func(t *testing.T, dir string, _ *clock) { remove(t, dir, "tls.key") }, nil, true, false},
		{"no CA at all", func(t *testing.T, dir string, _ *clock) { remove(t, dir, "ca.crt"); remove(t, dir, "ca.key") }, nil, false, false},
		{"a leaf of another CA", func(t *testing.T, dir string, c *clock) {
			other := t.TempDir()
			makeAuthority(t, other, c, "a.ns.svc", "b.ns.svc")
			put(t, dir, "tls.crt", readFile(t, other, "tls.crt"))
			put(t, dir, "tls.key", readFile(t, other, "tls.key"))
		}, nil, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, c := t.TempDir(), newClock()
			first := current(t, makeAuthority(t, dir, c, "a.ns.svc", "b.ns.svc"))
			test.change(t, dir, c)
			if test.names == nil {
				test.names = []string{"a.ns.svc", "b.ns.svc"}
			}
			second := current(t, makeAuthority(t, dir, c, test.names...))
			if same := bytes.Equal(first.CABundle, second.CABundle); same != test.sameCA {
				t.Errorf("same CA: %v, want %v", same, test.sameCA)
			}
			if same := first.Leaf().Equal(second.Leaf()); same != test.sameL {
				t.Errorf("same leaf: %v, want %v", same, test.sameL)
			}
			if err := second.TrustedBy(second.CABundle, c.at); err != nil {
				t.Error(err)
			}
			s, _ := parseNames(test.names)
			if !s.matches(second.Leaf()) {
				t.Errorf("the leaf is for %v %v", second.Leaf().DNSNames, second.Leaf().IPAddresses)
			}
			if !bytes.Equal(readFile(t, dir, "ca.crt"), second.CABundle) {
				t.Error("ca.crt is not the bundle")
			}
		})
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// TestAuthorityInterrupted: the process that made the CA died between key and certificate. The
// next one makes a certificate that old bundles trust, too.
func TestAuthorityInterrupted(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	first := current(t, makeAuthority(t, dir, c, "localhost"))
	remove(t, dir, "ca.crt")
	second := current(t, makeAuthority(t, dir, c, "localhost"))
	second = &Pair{Certificate: second.Certificate, CABundle: first.CABundle}
	if err := second.TrustedBy(second.CABundle, c.at); err != nil {
		t.Error(err)
	}
}

// A damaged folder is repaired, and what is served stays. If the CA's key is lost, a next CA
// replaces it when the leaf ends, or after the overlap.
func TestAuthorityRepairs(t *testing.T) {
	tests := []struct {
		name   string
		change func(dir string, c *clock)
		lost   bool
	}{
		{"the key is missing", func(dir string, _ *clock) { remove(t, dir, "ca.key") }, true},
		{"the key is cut", func(dir string, _ *clock) { put(t, dir, "ca.key", []byte("-----BEGIN")) }, true},
		{"the key is empty", func(dir string, _ *clock) { put(t, dir, "ca.key", nil) }, true},
		{"another CA's key", func(dir string, c *clock) {
			other := t.TempDir()
			makeAuthority(t, other, c, "localhost")
			put(t, dir, "ca.key", readFile(t, other, "ca.key"))
		}, true},
		{"the certificate is empty", func(dir string, _ *clock) { put(t, dir, "ca.crt", nil) }, false},
		{"the certificate is broken", func(dir string, _ *clock) { put(t, dir, "ca.crt", []byte("x")) }, false},
		{"the certificate is a leaf", func(dir string, _ *clock) { put(t, dir, "ca.crt", readFile(t, dir, "tls.crt")) }, false},
		{"a key among the certificates", func(dir string, _ *clock) {
			put(t, dir, "ca.crt", append(readFile(t, dir, "ca.crt"), readFile(t, dir, "ca.key")...))
		}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, c := t.TempDir(), newClock()
			first := current(t, makeAuthority(t, dir, c, "localhost"))
			test.change(dir, c)
			a := makeAuthority(t, dir, c, "localhost")
			second := current(t, a)
			if !second.Leaf().Equal(first.Leaf()) {
				t.Error("another leaf")
			}
			if err := second.TrustedBy(first.CABundle, c.at); err != nil {
				t.Error(err)
			}
			want := 1
			if test.lost {
				want = 2
			}
			if n := authorities(second.CABundle); n != want {
				t.Errorf("%d CAs in the bundle, want %d", n, want)
			}
			c.advance(89 * day)
			if err := a.Refresh(); err != nil {
				t.Fatal(err)
			}
			if renewed := !current(t, a).Leaf().Equal(first.Leaf()); renewed == test.lost {
				t.Errorf("a new leaf after 89 days: %v", renewed)
			}
			c.advance(day - time.Minute)
			if err := a.Refresh(); err != nil {
				t.Fatal(err)
			}
			last := current(t, a)
			if err := last.TrustedBy(second.CABundle, c.at); err != nil || last.Leaf().Equal(first.Leaf()) {
				t.Errorf("the last leaf is %v, %v", last.Leaf().NotAfter, err)
			}
		})
	}
}

func TestAuthorityStops(t *testing.T) {
	tests := []struct {
		name   string
		change func(dir string, c *clock)
		want   string
	}{
		{"the clock is far behind", func(_ string, c *clock) { c.advance(-400 * day) },
			"ca.crt: it is not valid before 2026-03-01T11:00:00Z; is the clock right?"},
		{"another issuer serves", func(dir string, c *clock) {
			for name, content := range issuedElsewhere(t, c.at) {
				put(t, dir, name, content)
			}
		}, "another issuer has signed the serving certificate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, c := t.TempDir(), newClock()
			makeAuthority(t, dir, c, "localhost")
			test.change(dir, c)
			before := readAll(t, dir)
			_, err := NewAuthority(AuthorityOptions{Dir: dir, Names: []string{"localhost"}, Now: c.now})
			wantError(t, err, dir+": "+test.want)
			if !maps.EqualFunc(before, readAll(t, dir), bytes.Equal) {
				t.Error("it has written something")
			}
		})
	}
}

// issuedElsewhere returns what another issuer, such as cert-manager, has written: tls.crt,
// tls.key and ca.crt.
func issuedElsewhere(t *testing.T, now time.Time) map[string][]byte {
	t.Helper()
	k := &Keyring{}
	if err := renew(&k.signing, now); err != nil {
		t.Fatal(err)
	}
	template := *k.signing.certificate
	template.RawSubject, template.Subject = nil, pkix.Name{CommonName: "another issuer"}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, k.signing.key.Public(), k.signing.key)
	if err != nil {
		t.Fatal(err)
	}
	if k.signing.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	data, _, err := k.Serving(now, []string{"a.svc"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAuthorityNames(t *testing.T) {
	tests := []struct {
		names []string
		want  string
	}{
		{nil, "a serving certificate needs a DNS name or an IP address"},
		{[]string{"under_score.svc"}, `"under_score.svc" is neither a DNS name nor an IP address: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
	}
	for _, test := range tests {
		_, err := NewAuthority(AuthorityOptions{Dir: t.TempDir(), Names: test.names})
		wantError(t, err, test.want)
	}
}

// TestLeafEndsWithItsCA: a leaf does not outlive the CA, and is not renewed again and again
// because it cannot.
func TestLeafEndsWithItsCA(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	makeAuthority(t, dir, c, "localhost")
	c.advance(authorityValidity - 30*day)
	a := makeAuthority(t, dir, c, "localhost")
	first := current(t, a).Leaf()
	if left := first.NotAfter.Sub(c.at); left != 30*day {
		t.Errorf("valid for another %v, want 30 days", left)
	}
	c.advance(time.Minute)
	if err := a.Refresh(); err != nil {
		t.Fatal(err)
	}
	if !current(t, a).Leaf().Equal(first) {
		t.Error("renewed after a minute")
	}
}
