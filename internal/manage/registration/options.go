package registration

import (
	"log/slog"
	"time"

	"k8s.io/client-go/tools/events"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Options configure the registration.
type Options struct {
	// Serve is the server to register.
	Serve *reach.Serve
	// Rights are those of this process.
	Rights reach.Health
	// Events receives what other clients have changed.
	Events events.EventRecorder
	// Logger receives every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}
