package certs

import (
	"os"
	"path/filepath"
)

// The files of a folder. tls.crt, tls.key and ca.crt are the keys of a Secret
// of type kubernetes.io/tls as cert-manager fills it.
const (
	authorityCertificateFile = "ca.crt"
	authorityKeyFile         = "ca.key"
	certificateFile          = "tls.crt"
	keyFile                  = "tls.key"
)

const (
	keyMode         os.FileMode = 0o600
	certificateMode os.FileMode = 0o644
)

// writeFile replaces a file at once: a reader sees the old content or the new,
// also after a crash.
func writeFile(dir, name string, content []byte, mode os.FileMode) (err error) {
	f, err := os.CreateTemp(dir, "."+name+".*") // made with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error says more
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
