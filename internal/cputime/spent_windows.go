package cputime

import (
	"syscall"
	"time"
)

// Spent returns the CPU time that the process has spent so far.
func Spent() time.Duration {
	var creation, exit, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(process, &creation, &exit, &kernel, &user)
	}
	if err != nil {
		panic(err) // every process may ask for its own
	}
	return hundreds(kernel) + hundreds(user)
}

// hundreds is a duration that Windows counts in hundreds of nanoseconds.
func hundreds(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
}
