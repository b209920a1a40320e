//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Spent returns the CPU time that the process has spent so far.
func Spent() time.Duration {
	var usage syscall.Rusage
	// It fails only for an argument that is not one of its constants.
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
