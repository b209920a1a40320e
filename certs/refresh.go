package certs

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// refreshInterval is how often a source looks again by itself: for files that
// another process has changed, for a renewal that is due, for a certificate
// whose time has come.
const refreshInterval = 10 * time.Second

// refreshUntil refreshes at every interval, and when woken, until ctx is done.
func refreshUntil(ctx context.Context, refresh func() error, r *reporter, wake <-chan struct{}) error {
	ticker := time.NewTicker(refreshInterval)
	defer ticker.Stop()
	for {
		r.report(refresh())
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-wake:
		}
	}
}

// reporter logs an error when it first appears, not again while it stays the
// same, and its end.
type reporter struct {
	log   *slog.Logger
	holds func() bool // whether there is a pair to go on with
	last  said
}

func newReporter(log *slog.Logger, holds func() bool) *reporter {
	return &reporter{log: log, holds: holds}
}

func (r *reporter) report(err error) {
	switch {
	case !r.last.news(err):
	case err == nil:
		r.log.Info("the certificate is good again")
	case r.holds():
		r.log.Error("the certificate is not usable; the last good one stays", "error", err)
	default:
		r.log.Error("there is no usable certificate; nothing can be served until there is", "error", err)
	}
}

// said is the last error that was told, at first none.
type said struct {
	mu   sync.Mutex
	text string
}

// news reports whether err differs from what was told last.
func (s *said) news(err error) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := s.text != text
	s.text = text
	return changed
}
