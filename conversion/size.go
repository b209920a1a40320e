package conversion

import "github.com/crosswalk-dev/crosswalk/conversion/internal/object"

const (
	// MaxSize is the default of [WithMaxSize], in bytes. It is five times the API server's
	// limit for a write (3 MiB, k8s.io/apiserver/pkg/server/config.go), so an API server sends
	// no larger objects.
	MaxSize = 16 << 20
	// LargestMaxSize is the highest limit.
	LargestMaxSize = object.LargestMaxSize
)

// WithMaxSize sets the largest size of an object, in bytes: [MaxSize] if it is not above 0,
// [LargestMaxSize] at most. Convert, ConvertNoting and Explain fail for larger objects. Guard
// does not, and for Check a larger object is a finding: writes have their own limits.
func WithMaxSize(bytes int) Option {
	return func(c *compiler) {
		if bytes > 0 {
			c.maxSize = min(bytes, LargestMaxSize)
		}
	}
}

// MaxSize returns the largest size of an object, in bytes.
func (c *Converter) MaxSize() int { return c.maxSize }

// checkSize returns an error if an object is longer than limit bytes.
func checkSize(text []byte, limit int) error {
	return object.CheckSize(text, limit, "--max-object-bytes, in Go conversion.WithMaxSize,")
}
