package certs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// issued returns a folder with a fresh pair.
func issued(t *testing.T, c *clock, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	makeAuthority(t, dir, c, names...)
	return dir
}

func TestFolderReloads(t *testing.T) {
	c := newClock()
	dir, next := issued(t, c, "a.svc"), issued(t, c, "b.svc")
	f := NewFolder(FolderOptions{Dir: dir, Now: c.now})
	changed := f.Changed()
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
		t.Error("a change is reported, but nothing changed")
	default:
	}
	copyFiles(t, dir, next)
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	default:
		t.Error("no change is reported")
	}
	if p := current(t, f); p.Leaf().DNSNames[0] != "b.svc" || string(p.CABundle) != string(readFile(t, next, "ca.crt")) {
		t.Errorf("serves %v", p.Leaf().DNSNames)
	}
}

// TestFolderFollowsLinks: the kubelet mounts a Secret as links into a folder
// that it replaces by swapping the link ..data.
func TestFolderFollowsLinks(t *testing.T) {
	c := newClock()
	mount := t.TempDir()
	link(t, issued(t, c, "a.svc"), filepath.Join(mount, "..data"))
	for _, name := range []string{"tls.crt", "tls.key", "ca.crt"} {
		link(t, filepath.Join("..data", name), filepath.Join(mount, name))
	}
	f := NewFolder(FolderOptions{Dir: mount, Now: c.now})
	link(t, issued(t, c, "b.svc"), filepath.Join(mount, "..new"))
	if err := os.Rename(filepath.Join(mount, "..new"), filepath.Join(mount, "..data")); err != nil {
		t.Fatal(err)
	}
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
	if names := current(t, f).Leaf().DNSNames; names[0] != "b.svc" {
		t.Errorf("serves %v", names)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// TestFolderBad: whatever is wrong with the files, the last good pair stays, and the error
// names the fault.
func TestFolderBad(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, dir string, c *clock)
		want   string
	}{
		{"the certificate is missing", func(t *testing.T, dir string, _ *clock) { remove(t, dir, "tls.crt") },
			"open DIR/tls.crt: no such file or directory"},
		{"the key is missing", func(t *testing.T, dir string, _ *clock) { remove(t, dir, "tls.key") },
			"open DIR/tls.key: no such file or directory"},
		{"the certificate is half written", func(t *testing.T, dir string, _ *clock) {
			put(t, dir, "tls.crt", readFile(t, dir, "tls.crt")[:100])
		}, "tls: failed to find any PEM data in certificate input"},
		{"the key is empty", func(t *testing.T, dir string, _ *clock) { put(t, dir, "tls.key", nil) },
			"tls: failed to find any PEM data in key input"},
		{"only the key is new", func(t *testing.T, dir string, c *clock) {
			put(t, dir, "tls.key", readFile(t, issued(t, c, "a.svc"), "tls.key"))
		}, "tls: private key does not match public key"},
		{"only the CA is new", func(t *testing.T, dir string, c *clock) {
			put(t, dir, "ca.crt", readFile(t, issued(t, c, "a.svc"), "ca.crt"))
		}, `the certificate is not signed by the CA bundle: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "Crosswalk built-in authority")`},
		{"the chain is long", func(t *testing.T, dir string, _ *clock) {
			put(t, dir, "tls.crt", bytes.Repeat(readFile(t, dir, "tls.crt"), 11))
		}, "tls.crt holds 11 certificates, and clients accept 10: keep the serving certificate and its intermediates there, nothing else"},
		{"the CA is no certificate", func(t *testing.T, dir string, _ *clock) { put(t, dir, "ca.crt", []byte("hello")) },
			"the CA bundle has no certificate"},
		{"the CA is empty", func(t *testing.T, dir string, _ *clock) { put(t, dir, "ca.crt", nil) },
			"the CA bundle has no certificate"},
		{"the certificate has expired", func(_ *testing.T, _ string, c *clock) { c.advance(365 * day) },
			"the certificate expired on 2026-05-30T12:00:00Z"},
		{"the certificate is of tomorrow", func(_ *testing.T, _ string, c *clock) { c.advance(-day) },
			"the certificate is not valid before 2026-03-01T11:00:00Z; is the clock right?"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newClock()
			dir := issued(t, c, "a.svc")
			f := NewFolder(FolderOptions{Dir: dir, Now: c.now})
			good := current(t, f)
			test.change(t, dir, c)
			want := dir + ": " + strings.ReplaceAll(test.want, "DIR", dir)
			wantError(t, f.Refresh(), want)
			if current(t, f) != good {
				t.Error("the last good pair is gone")
			}
			fresh := NewFolder(FolderOptions{Dir: dir, Now: c.now})
			_, err := fresh.Current()
			wantError(t, err, want)
		})
	}
}

// TestFolderWithoutCA: an issuer that clients know needs no bundle.
func TestFolderWithoutCA(t *testing.T) {
	c := newClock()
	dir := issued(t, c, "a.svc")
	remove(t, dir, "ca.crt")
	if p := current(t, NewFolder(FolderOptions{Dir: dir, Now: c.now})); p.CABundle != nil {
		t.Errorf("CA bundle %q", p.CABundle)
	}
}

func TestFolderComesLater(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	f := NewFolder(FolderOptions{Dir: dir, Now: func() time.Time { return c.at }})
	if _, err := f.Current(); err == nil {
		t.Fatal("a pair out of nothing")
	}
	changed := f.Changed()
	copyFiles(t, dir, issued(t, c, "a.svc"))
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
	<-changed
	current(t, f)
}
