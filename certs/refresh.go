package certs

import (
	"context"
	"log/slog"
	"time"
)

// refreshUntil refreshes at every interval until ctx is done. An error is
// logged when it first appears, and not again while it stays the same.
func refreshUntil(ctx context.Context, refresh func() error, log *slog.Logger) error {
	ticker := time.NewTicker(refreshInterval)
	defer ticker.Stop()
	last := ""
	for {
		switch err := refresh(); {
		case err == nil && last != "":
			log.Info("the certificate files are good again")
			last = ""
		case err != nil && err.Error() != last:
			last = err.Error()
			log.Error("the certificate files are not usable; the last good certificate stays", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
