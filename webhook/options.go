package webhook

import (
	"log/slog"
	"net/http"
	"time"
)

// Options configure the handlers.
type Options struct {
	// Tables holds the loaded tables. [NewHandler] requires it.
	Tables *Tables
	// Reviewers holds the reviewers of writes. [NewAdmissionHandler] requires it. [NewHandler]
	// adds its routes if Reviewers is set.
	Reviewers *Reviewers
	// Knows reports whether a request to /validate or /mutate comes from the API server. Only
	// the API server gets to see what reviewers have read from the cluster (see
	// [validation.WithKnownCaller]). By default no caller is known.
	Knows func(*http.Request) bool
	// Metrics receives the measurements. The default discards them.
	Metrics *Metrics
	// Logger receives failures, denials and panics, never a body. The default discards them.
	Logger *slog.Logger
	// MaxBodyBytes is the size of the largest ConversionReview that is read. The default is
	// [DefaultMaxBodyBytes], the highest value [LargestMaxBodyBytes].
	MaxBodyBytes int64
	// MaxAdmissionBytes is the size of the largest AdmissionReview that is read. The default is
	// [DefaultMaxAdmissionBytes], the highest value [LargestMaxBodyBytes].
	MaxAdmissionBytes int64
	// Memory bounds what requests may hold together. All handlers of a process should share one
	// Memory. The default is a new one, with the memory limit of the Go runtime (GOMEMLIMIT),
	// if there is one.
	Memory *Memory
	// Now is the clock for durations. The default is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Knows == nil {
		o.Knows = func(*http.Request) bool { return false }
	}
	if o.MaxBodyBytes <= 0 {
		o.MaxBodyBytes = DefaultMaxBodyBytes
	}
	o.MaxBodyBytes = min(o.MaxBodyBytes, LargestMaxBodyBytes)
	if o.MaxAdmissionBytes <= 0 {
		o.MaxAdmissionBytes = DefaultMaxAdmissionBytes
	}
	o.MaxAdmissionBytes = min(o.MaxAdmissionBytes, LargestMaxBodyBytes)
	if o.Memory == nil {
		o.Memory = NewMemory(limitOfRuntime())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
