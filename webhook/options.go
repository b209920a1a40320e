package webhook

import (
	"log/slog"
	"net/http"
	"time"
)

// Options say how the handlers work.
type Options struct {
	// Tables holds the tables that are loaded. [NewHandler] requires it.
	Tables *Tables
	// Reviewers holds who decides about writes. [NewAdmissionHandler] requires it;
	// [NewHandler] adds those routes where it is given.
	Reviewers *Reviewers
	// Knows reports whether a request to /validate or /mutate comes from the API server,
	// to which alone reviewers tell what they have read of the cluster (see
	// [validation.WithKnownCaller]). The default knows nobody.
	Knows func(*http.Request) bool
	// Metrics is counted into. The default counts nowhere.
	Metrics *Metrics
	// Logger gets failures, denials and panics, never a body. The default is silent.
	Logger *slog.Logger
	// MaxBodyBytes is the largest ConversionReview that is read. The default is
	// [DefaultMaxBodyBytes], the highest [LargestMaxBodyBytes].
	MaxBodyBytes int64
	// MaxAdmissionBytes is the largest AdmissionReview that is read. The default is
	// [DefaultMaxAdmissionBytes], the highest [LargestMaxBodyBytes].
	MaxAdmissionBytes int64
	// Memory is what requests may hold together. All handlers of a process should have the
	// same. The default is one of its own, with the memory limit of the Go runtime
	// (GOMEMLIMIT), if that has one.
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
