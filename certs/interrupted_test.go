package certs

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
)

// TestInterrupted interrupts everything that the authority does to its folder before each of
// its writes. The next authority must repair the folder. No client that followed the rules may
// ever reject what lies there.
func TestInterrupted(t *testing.T) {
	// rotated begins a rotation and lets times pass between refreshes.
	rotated := func(t *testing.T, dir string, c *clock, times ...time.Duration) {
		refreshed(t, dir, c)
		put(t, dir, "rotate", []byte(c.at.String()+"\n"))
		for _, d := range times {
			c.advance(d)
			refreshed(t, dir, c)
		}
	}
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string, c *clock)
		writes  int
		keeps   bool // whether clients with the old bundle trust the new leaf
	}{
		{"create", func(*testing.T, string, *clock) {}, 4, false},
		{"renew", func(t *testing.T, dir string, c *clock) {
			refreshed(t, dir, c)
			c.advance(61 * day)
		}, 2, true},
		// next.key, ca.crt, rotation.json; and that again when the overlap begins.
		{"publish", func(t *testing.T, dir string, c *clock) { rotated(t, dir, c) }, 4, true},
		// ca.key, rotation.json, next.key removed, tls.key, tls.crt.
		{"promote", func(t *testing.T, dir string, c *clock) {
			rotated(t, dir, c, time.Minute)
			c.advance(overlap)
		}, 5, true},
		// ca.crt, rotation.json; the leaf is renewed in time.
		{"retire", func(t *testing.T, dir string, c *clock) {
			rotated(t, dir, c, time.Minute, overlap, 61*day)
			c.advance(30 * day)
		}, 2, true},
		// A next CA (2), promoted (3), the old one out of the bundle (2), a leaf (2).
		{"replace", func(t *testing.T, dir string, c *clock) {
			refreshed(t, dir, c)
			c.advance(authorityValidity + day)
		}, 9, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for allowed := 0; ; allowed++ {
				if interrupt(t, test.prepare, allowed, test.keeps) {
					if allowed != test.writes {
						t.Errorf("done after %d writes, want %d", allowed, test.writes)
					}
					return
				}
			}
		})
	}
}

func refreshed(t *testing.T, dir string, c *clock) *Authority {
	t.Helper()
	a, err := NewAuthority(AuthorityOptions{Dir: dir, Names: []string{"a.svc"}, Now: c.now, Overlap: overlap})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// interrupt lets the authority write so many times, and then starts another authority. It
// reports whether the first one had nothing more to write.
func interrupt(t *testing.T, prepare func(*testing.T, string, *clock), allowed int, keeps bool) bool {
	t.Helper()
	dir, c := t.TempDir(), newClock()
	prepare(t, dir, c)
	before := readAll(t, dir)
	a, err := openAuthority(AuthorityOptions{Dir: dir, Names: []string{"a.svc"}, Now: c.now, Overlap: overlap})
	if err != nil {
		t.Fatal(err)
	}
	left := allowed
	spend := func(do func() error) error {
		if left--; left < 0 {
			return errCrash
		}
		return do()
	}
	a.folder.write = func(dir, name string, content []byte, mode os.FileMode) error {
		return spend(func() error { return writeFile(dir, name, content, mode) })
	}
	a.folder.remove = func(path string) error { return spend(func() error { return os.Remove(path) }) }
	err = a.Refresh()
	if err != nil && !errors.Is(err, errCrash) {
		t.Fatal(err)
	}
	if torn := readAll(t, dir); keeps && !trusts(t, torn["ca.crt"], before, c.at) {
		t.Errorf("after %d writes the new bundle does not trust the old leaf", allowed)
	}
	pair := current(t, refreshed(t, dir, c))
	after := readAll(t, dir)
	if keeps && !trusts(t, before["ca.crt"], after, c.at) {
		t.Errorf("after %d writes a client with the old bundle rejects the new leaf", allowed)
	}
	if err := pair.TrustedBy(pair.CABundle, c.at); err != nil {
		t.Errorf("after %d writes: %v", allowed, err)
	}
	if !bytes.Equal(after["ca.crt"], pair.CABundle) {
		t.Error("ca.crt is not the bundle")
	}
	k := ParseKeyring(after)
	if _, steps := advanced(t, k, c.at, Conditions{Injected: true, Overlap: overlap}); len(steps) > 0 {
		t.Errorf("after %d writes, left to do: %q", allowed, steps)
	}
	return err == nil && left >= 0
}

func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files, err := newStore(dir).read(append(KeyringPieces(), "tls.crt", "tls.key")...)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
