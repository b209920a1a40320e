package certs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// FolderOptions configure a [Folder].
type FolderOptions struct {
	// Dir holds tls.crt, tls.key and, unless the issuer is unknown, ca.crt.
	Dir string
	// Logger receives reloads and errors, never a key. The default discards them.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Folder is a [Source] of files that somebody else keeps, such as a mounted Secret. It reads
// them every ten seconds instead of watching them: three small files cost nothing, and a watch
// on a mounted Secret would have to follow the symbolic links that the kubelet swaps.
type Folder struct {
	holder
	dir string
	log *slog.Logger
	now func() time.Time
}

// NewFolder returns a source that has read the folder once. Missing or bad files are no error,
// because good ones may follow. Current reports why there is no pair yet.
func NewFolder(o FolderOptions) *Folder {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	f := &Folder{dir: o.Dir, log: o.Logger.With("dir", o.Dir), now: o.Now}
	_ = f.Refresh() // Current returns the error, and Run logs it
	return f
}

// Run implements [Source].
func (f *Folder) Run(ctx context.Context) error {
	return refreshUntil(ctx, f.Refresh, newReporter(f.log, f.holds), nil)
}

// Refresh reads the folder. If the files do not belong together, as half-written files do not,
// the last good pair stays.
func (f *Folder) Refresh() error {
	pair, err := f.load()
	if err != nil {
		err = fmt.Errorf("%s: %w", f.dir, err)
		f.fail(err)
		return err
	}
	if f.set(pair) {
		f.log.Info("serving certificate", "notAfter", date(pair.Leaf().NotAfter))
	}
	return nil
}

func (f *Folder) load() (*Pair, error) {
	certificate, err := os.ReadFile(filepath.Join(f.dir, certificateFile))
	if err != nil {
		return nil, err
	}
	key, err := os.ReadFile(filepath.Join(f.dir, keyFile))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(f.dir, authorityCertificateFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return parsePair(certificate, key, ca, f.now())
}
