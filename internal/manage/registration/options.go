package registration

import (
	"log/slog"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Options say who is registered.
type Options struct {
	// Serve is who shall be asked about writes. Setup fills in its readers.
	Serve *reach.Serve
	// Logger gets every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}
