package certs

import (
	"os"
	"path/filepath"
)

const lockName = ".lock"

// withLock runs do while no other process with the same folder runs its own. The lock file is
// not removed, on purpose: otherwise two processes could lock two different files of that name.
func withLock(dir string, do func() error) error {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, keyMode)
	if err != nil {
		return err
	}
	defer f.Close() // releases the lock
	if err := lockFile(f); err != nil {
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return do()
}
