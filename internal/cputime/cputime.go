// Package cputime measures work by the CPU time that it takes, which other programs on the same
// machine hardly affect. Tests must not use the time on a clock: on a busy machine the same
// work takes many times as long.
package cputime

import "time"

// Of returns the CPU time that this process uses while work runs: in user mode and in the
// kernel, in all of its threads, including those of the garbage collector. Nothing else in the
// process should run meanwhile.
func Of(work func()) time.Duration {
	begin := Spent()
	work()
	return Spent() - begin
}

// Least runs work several times and returns the least CPU time, which is the least disturbed
// one.
func Least(times int, work func()) time.Duration {
	least := Of(work)
	for range times - 1 {
		least = min(least, Of(work))
	}
	return least
}
