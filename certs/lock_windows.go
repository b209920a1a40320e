package certs

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits until no other process holds the lock. The system releases it
// when the process ends, however it ends.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}
