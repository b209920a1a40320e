package main

import (
	"io"
)

// attachedFlag makes a process live only as long as its standard input is open.
// A pipe's end is seen when the parent dies in any way, kill -9 included, and
// unlike a parent-death signal it needs no particular operating system.
const attachedFlag = "--attached"

// waitForEnd returns when r has ended or failed. What r holds is ignored.
func waitForEnd(r io.Reader) {
	_, _ = io.Copy(io.Discard, r)
}
