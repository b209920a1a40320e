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

// memory finds how much memory the process may use, and sets that limit in the Go runtime. It
// returns 0 if nothing limits the memory.
func (o *serveOptions) memory(log *slog.Logger) (int64, error) {
	limit, from, err := memoryLimit(o.maxMemory, os.Getenv("GOMEMLIMIT") != "", debug.SetMemoryLimit(-1), memlimit.FromCgroup)
	if err != nil {
		return 0, err
	}
	if limit == 0 {
		log.Info("the memory of this process has no limit, so the memory of all requests together has none; set --max-memory-bytes")
		return 0, nil
	}
	debug.SetMemoryLimit(limit)
	log.Info("memory is limited", "bytes", limit, "by", from)
	return limit, nil
}

// memoryLimit returns the limit and its origin: the flag, the Go runtime's variable GOMEMLIMIT
// if it is set, or five sixths of the container's limit. The last sixth is for the pages of the
// program, and for what the garbage collector frees too late.
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
