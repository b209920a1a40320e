package command

import (
	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// objectOptions holds the flags of the commands that convert objects.
type objectOptions struct{ maxBytes int }

func (o *objectOptions) addFlags(f *pflag.FlagSet) {
	f.IntVar(&o.maxBytes, "max-object-bytes", conversion.MaxSize, "size of the largest object that a table converts")
}

func (o *objectOptions) check() error {
	if o.maxBytes < 1 || o.maxBytes > conversion.LargestMaxSize {
		return usagef("--max-object-bytes %d: want 1 to %d", o.maxBytes, conversion.LargestMaxSize)
	}
	return nil
}

// compiling returns the option for compiling tables.
func (o *objectOptions) compiling() conversion.Option { return conversion.WithMaxSize(o.maxBytes) }
