// Package cputime measures work by the CPU time that it takes, which other programs at work on
// the same machine change little. A test must not judge work by the clock: on a machine that
// is busy, the same work takes many times as long.
package cputime

import "time"

// Of returns the CPU time that this process spends while work runs: in user mode and in
// the kernel, in all of its threads, those of the garbage collector included. So nothing else in
// the process should be at work meanwhile.
func Of(work func()) time.Duration {
	begin := Spent()
	work()
	return Spent() - begin
}

// Least runs work some times and returns the least CPU time of them, which is the one that
// was disturbed least.
func Least(times int, work func()) time.Duration {
	least := Of(work)
	for range times - 1 {
		least = min(least, Of(work))
	}
	return least
}
