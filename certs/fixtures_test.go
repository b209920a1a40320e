package certs

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// clock is a clock that moves only when a test moves it.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

const day = 24 * time.Hour

func makeAuthority(t *testing.T, dir string, c *clock, names ...string) *Authority {
	t.Helper()
	a, err := NewAuthority(AuthorityOptions{Dir: dir, Names: names, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func current(t *testing.T, s Source) *Pair {
	t.Helper()
	p, err := s.Current()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// copyFiles makes dst hold the serving files of src.
func copyFiles(t *testing.T, dst, src string) {
	t.Helper()
	for _, name := range []string{"tls.crt", "tls.key", "ca.crt"} {
		put(t, dst, name, readFile(t, src, name))
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error\n got %v\nwant %s", err, want)
	}
}
