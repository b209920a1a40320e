package webhook

import (
	"log/slog"
	"time"
)

// Options say how the conversion handler works. Only Tables is required.
type Options struct {
	// Tables holds what is loaded.
	Tables *Tables
	// Metrics is counted into. The default counts nowhere.
	Metrics *Metrics
	// Logger gets failures and panics, never a body. The default is silent.
	Logger *slog.Logger
	// MaxBodyBytes is the largest body that is read. The default is
	// [DefaultMaxBodyBytes], the highest [LargestMaxBodyBytes].
	MaxBodyBytes int64
	// Now is the clock for durations. The default is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Tables == nil {
		panic("webhook: Options.Tables is nil")
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics(nil)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxBodyBytes <= 0 {
		o.MaxBodyBytes = DefaultMaxBodyBytes
	}
	o.MaxBodyBytes = min(o.MaxBodyBytes, LargestMaxBodyBytes)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
