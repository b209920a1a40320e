package registration

import (
	"log/slog"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Options configure the registration.
type Options struct {
	// Serve is the server to register.
	Serve *reach.Serve
	// Rights are those of this process.
	Rights reach.Rights
	// Logger receives every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}
