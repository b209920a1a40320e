package certs

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// runs starts a source in a bubble of virtual time.
func runs(t *testing.T, s Source) {
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
}

// TestSourcesRun holds both sources to the same behaviour over time.
func TestSourcesRun(t *testing.T) {
	sources := []struct {
		name string
		make func(t *testing.T, dir string, log *slog.Logger, now func() time.Time) Source
	}{
		{"authority", func(t *testing.T, dir string, log *slog.Logger, now func() time.Time) Source {
			a, err := NewAuthority(AuthorityOptions{Dir: dir, Names: []string{"a.svc"}, Logger: log, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}},
		{"folder", func(t *testing.T, dir string, log *slog.Logger, now func() time.Time) Source {
			a, err := NewAuthority(AuthorityOptions{Dir: dir, Names: []string{"a.svc"}, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			runs(t, a) // keeps the folder, as cert-manager would
			return NewFolder(FolderOptions{Dir: dir, Logger: log, Now: now})
		}},
	}
	for _, source := range sources {
		t.Run(source.name+" renews in time", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &shifted{}
				s := source.make(t, t.TempDir(), slog.New(slog.DiscardHandler), c.now)
				runs(t, s)
				for range 3 {
					changed, before := s.Changed(), current(t, s)
					c.shift(60*day - time.Hour)
					<-changed
					if left := before.Leaf().NotAfter.Sub(c.now()); left < 29*day || left > 31*day {
						t.Errorf("renewed %v before expiry", left)
					}
					now := current(t, s)
					if err := now.TrustedBy(now.CABundle, c.now()); err != nil {
						t.Error(err)
					}
				}
			})
		})
		t.Run(source.name+" outlives a broken folder", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log syncBuffer
				dir := t.TempDir()
				s := source.make(t, dir, slog.New(slog.NewTextHandler(&log, nil)), time.Now)
				runs(t, s)
				time.Sleep(59 * time.Second) // not while it looks
				good, key := current(t, s), readFile(t, dir, "tls.key")
				remove(t, dir, "tls.key")
				if err := os.Mkdir(filepath.Join(dir, "tls.key"), 0o755); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour)
				if current(t, s) != good {
					t.Error("the last good pair is gone")
				}
				if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
					t.Errorf("%d errors logged in an hour, want 1:\n%s", n, log.String())
				}
				remove(t, dir, "tls.key")
				put(t, dir, "tls.key", key)
				time.Sleep(time.Minute)
				if !strings.Contains(log.String(), "the certificate is good again") {
					t.Errorf("the log does not say that all is well:\n%s", log.String())
				}
			})
		})
	}
}

// TestFolderIsShared: a second authority on the folder serves what the first
// has renewed.
func TestFolderIsShared(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	a, b := makeAuthority(t, dir, c, "a.svc"), makeAuthority(t, dir, c, "a.svc")
	c.advance(61 * day)
	for _, x := range []*Authority{a, b} {
		if err := x.Refresh(); err != nil {
			t.Fatal(err)
		}
	}
	if !current(t, a).equal(current(t, b)) {
		t.Error("two authorities on one folder serve different pairs")
	}
	if m, _ := filepath.Glob(filepath.Join(dir, ".*.*")); len(m) > 0 {
		t.Errorf("left behind: %v", m)
	}
}

// shifted is the bubble's clock plus some months. Waiting for them would mean a million reads
// of the folder.
type shifted struct{ by atomic.Int64 }

func (s *shifted) now() time.Time        { return time.Now().Add(time.Duration(s.by.Load())) }
func (s *shifted) shift(d time.Duration) { s.by.Add(int64(d)) }

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
