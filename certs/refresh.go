package certs

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// refreshInterval is how often a source looks for changes without being woken: files that
// another process has changed, a renewal that is due, a certificate that has become valid.
const refreshInterval = 10 * time.Second

// refreshUntil calls refresh at every interval, and when woken, until ctx is done.
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

// reporter logs an error when it first appears and when it ends, but not again while it stays
// the same.
type reporter struct {
	log   *slog.Logger
	holds func() bool // whether there is a pair to serve meanwhile
	last  lastError
}

func newReporter(log *slog.Logger, holds func() bool) *reporter {
	return &reporter{log: log, holds: holds}
}

func (r *reporter) report(err error) {
	switch {
	case !r.last.changed(err):
	case err == nil:
		r.log.Info("the certificate is good again")
	case r.holds():
		r.log.Error("the certificate is not usable; the last good one stays", "error", err)
	default:
		r.log.Error("there is no usable certificate; nothing can be served until there is", "error", err)
	}
}

// lastError remembers the error that was reported last. At first it is nil.
type lastError struct {
	mu   sync.Mutex
	text string
}

// changed stores err and reports whether it differs from the previous error.
func (s *lastError) changed(err error) bool {
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
