package command

import (
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// bulkOptions holds the flags of commands that handle many objects.
type bulkOptions struct {
	pageSize int
	qps      float32
	quiet    bool
}

// addFlags adds the flags; qps explains what --qps limits.
func (o *bulkOptions) addFlags(f *pflag.FlagSet, qps string) {
	f.IntVar(&o.pageSize, "page-size", 500, "how many objects to list at once")
	f.Float32Var(&o.qps, "qps", 50, qps)
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no progress")
}

// check checks what the types of the flags do not.
func (o *bulkOptions) check() error {
	switch {
	case o.pageSize < 1:
		return usagef("--page-size %d: want 1 or more", o.pageSize)
	case !(o.qps >= 0): // also NaN
		return usagef("--qps %v: want 0 or more", o.qps)
	}
	return nil
}

// console returns where results and progress are printed.
func (o *bulkOptions) console(stdout, stderr io.Writer) *bulk.Console {
	return &bulk.Console{Output: stdout, Errors: stderr, Terminal: isTerminal(stderr), Quiet: o.quiet, Now: time.Now}
}
