package command

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memory finds how much memory the process may use, tells the garbage collector, and
// returns it, or 0 where nothing limits it.
func (o *serveOptions) memory(log *slog.Logger) (int64, error) {
	limit, from, err := memoryLimit(o.maxMemory, os.Getenv("GOMEMLIMIT") != "", debug.SetMemoryLimit(-1), memlimit.FromCgroup)
	if err != nil {
		return 0, err
	}
	if limit == 0 {
		log.Info("nothing limits the memory of this process, and so nothing limits what requests hold together; --max-memory-bytes does")
		return 0, nil
	}
	debug.SetMemoryLimit(limit)
	log.Info("memory is limited", "bytes", limit, "by", from)
	return limit, nil
}

// memoryLimit is the limit, and where it comes from: the flag, the Go runtime's variable
// GOMEMLIMIT if it is set, or five sixths of that of the container. In the last sixth are
// the pages of the program, and what the garbage collector comes too late for.
func memoryLimit(flag int64, isSet bool, runtime int64, container memlimit.Provider) (int64, string, error) {
	switch {
	case flag > 0:
		return flag, "--max-memory-bytes", nil
	case isSet && runtime == math.MaxInt64: // GOMEMLIMIT=off
		return 0, "", nil
	case isSet:
		return runtime, "GOMEMLIMIT", nil
	}
	limit, err := memlimit.ApplyRatio(container, 5.0/6)()
	switch {
	case errors.Is(err, memlimit.ErrNoLimit), errors.Is(err, memlimit.ErrNoCgroup), errors.Is(err, memlimit.ErrCgroupsNotSupported):
		return 0, "", nil
	case err != nil:
		return 0, "", fmt.Errorf("the container's memory limit cannot be read (%w); set --max-memory-bytes", err)
	}
	return int64(limit), "the container", nil
}
