package certs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files of a folder. tls.crt, tls.key and ca.crt are also the keys of a Secret of type
// kubernetes.io/tls as cert-manager writes it.
const (
	authorityCertificateFile = "ca.crt"
	authorityKeyFile         = "ca.key"
	certificateFile          = "tls.crt"
	keyFile                  = "tls.key"
)

// Further pieces of a keyring.
const (
	nextKeyFile = "next.key"
	recordFile  = "rotation.json"
)

// requestFile in an authority's folder asks for a rotation: see [Conditions].
const requestFile = "rotate"

const (
	keyMode         os.FileMode = 0o600
	certificateMode os.FileMode = 0o644
)

// store reads and writes the files of a folder. Its functions are fields so that
// a test can interrupt them.
type store struct {
	dir    string
	write  func(dir, name string, content []byte, mode os.FileMode) error
	remove func(path string) error
}

func newStore(dir string) store { return store{dir, writeFile, os.Remove} }

// read returns those of the files that exist.
func (s store) read(names ...string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(s.dir, name))
		switch {
		case err == nil:
			files[name] = content
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return files, nil
}

// save replaces the files of the old keyring with those of another.
func (s store) save(old, keyring map[string][]byte) error {
	pieces := KeyringPieces()
	last := len(pieces) - 1
	write := func(names []string) error {
		return s.writeAll(keyring, slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			content, intended := keyring[name]
			had, is := old[name]
			return !intended || is && bytes.Equal(had, content)
		})...)
	}
	if err := write(pieces[:last]); err != nil {
		return err
	}
	for _, name := range pieces {
		_, is := old[name]
		if _, intended := keyring[name]; !is || intended {
			continue
		}
		if err := s.remove(filepath.Join(s.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return write(pieces[last:])
}

// writeAll writes the named files in this order.
func (s store) writeAll(files map[string][]byte, names ...string) error {
	for _, name := range names {
		mode := certificateMode
		if strings.HasSuffix(name, ".key") {
			mode = keyMode
		}
		if err := s.write(s.dir, name, files[name], mode); err != nil {
			return err
		}
	}
	return nil
}

// writeFile replaces a file atomically: a reader sees the old content or the new, also after a
// crash.
func writeFile(dir, name string, content []byte, mode os.FileMode) (err error) {
	f, err := os.CreateTemp(dir, "."+name+".*") // made with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error explains more
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	return err
}
