//go:build unix

package certs

import (
	"os"
	"syscall"
)

// lockFile waits until no other process holds the lock. The system releases it
// when the process ends, however it ends.
func lockFile(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			return err
		}
	}
}
