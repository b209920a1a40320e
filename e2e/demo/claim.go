package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// claim makes dir ours alone and empties it, so that every run begins the same.
// Two demonstrations may run at once in different folders.
func claim(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "lock")
	lock, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// The lock ends with the process, however that ends.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, fmt.Errorf("%s is in use by another run: stop that one, or name another folder with --dir", dir)
	}
	// Only what an earlier run made is removed: dir may be any folder.
	for _, name := range []string{
		"controlplane", "bin", "deploy", "serve.kubeconfig", "manage.kubeconfig",
		"controlplane.log", "serve-0.log", "manage.log",
	} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			lock.Close()
			return nil, err
		}
	}
	return func() { lock.Close() }, nil
}
