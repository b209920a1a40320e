package conversion

import "github.com/crosswalk-dev/crosswalk/conversion/internal/object"

const (
	// MaxSize is how long an object may be that is converted, in bytes, unless
	// [WithMaxSize] says otherwise. It is five times what the API server takes in a write
	// (3 MiB, k8s.io/apiserver/pkg/server/config.go), so an API server sends no more.
	MaxSize = 16 << 20
	// LargestMaxSize is the highest limit.
	LargestMaxSize = object.LargestMaxSize
)

// WithMaxSize sets how long an object may be that is converted, in bytes: [MaxSize] where
// it is not above 0, [LargestMaxSize] at most. Convert, ConvertNoting and Explain fail
// beyond it. Guard does not, and for Check it is a finding: who asks them has a limit of
// their own for what is written.
func WithMaxSize(bytes int) Option {
	return func(c *compiler) {
		if bytes > 0 {
			c.maxSize = min(bytes, LargestMaxSize)
		}
	}
}

// MaxSize is how long an object may be that is converted, in bytes.
func (c *Converter) MaxSize() int { return c.maxSize }

// checkSize fails where an object is longer than limit bytes.
func checkSize(text []byte, limit int) error {
	return object.CheckSize(text, limit, "--max-object-bytes, in Go conversion.WithMaxSize,")
}
