package certs

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strings"
	"time"
)

// DefaultFolderOverlap is how long a next CA is in a folder's bundle before it signs. Nothing
// reports who has copied the bundle of a folder, so people who copy it by hand get as long as a
// leaf lives.
const DefaultFolderOverlap = leafValidity

// AuthorityOptions configure the built-in authority in a folder.
type AuthorityOptions struct {
	// Dir holds the keyring (see [Keyring.Data]), tls.crt and tls.key. The authority makes the
	// folder if it is missing. Several processes may share it if they all have the same Names.
	//
	// A file named rotate asks for a rotation: its text is the request (see [Conditions]).
	Dir string
	// Names are the DNS names and IP addresses of the server. See [ServiceNames].
	Names []string
	// Overlap is how long a next CA is in the bundle before it signs. The default
	// is DefaultFolderOverlap.
	Overlap time.Duration
	// Injected returns nil once everything that should hold the bundle holds it, and otherwise
	// an error that names what does not. The overlap begins only then. Without Injected it
	// begins at once.
	Injected func(bundle []byte) error
	// Logger receives renewals, rotations and errors, never a key. The default discards them.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Authority is a [Source] with a CA of its own, kept as a [Keyring] in a folder.
type Authority struct {
	holder
	folder   store
	names    []string
	overlap  time.Duration
	injected func(bundle []byte) error
	log      *slog.Logger
	now      func() time.Time
	waiting  lastError
}

// NewAuthority opens the folder and makes the files that are missing, so a pair exists when it
// returns.
func NewAuthority(o AuthorityOptions) (*Authority, error) {
	a, err := openAuthority(o)
	if err != nil {
		return nil, err
	}
	return a, a.Refresh()
}

func openAuthority(o AuthorityOptions) (*Authority, error) {
	if _, err := parseNames(o.Names); err != nil {
		return nil, err
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultFolderOverlap
	}
	if o.Injected == nil {
		o.Injected = func([]byte) error { return nil }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	return &Authority{
		folder: newStore(o.Dir), names: o.Names, overlap: o.Overlap, injected: o.Injected,
		log: o.Logger.With("dir", o.Dir), now: o.Now,
	}, nil
}

// Run implements [Source].
func (a *Authority) Run(ctx context.Context) error {
	return refreshUntil(ctx, a.Refresh, newReporter(a.log, a.holds), nil)
}

// Refresh reads the folder, takes the steps of a rotation that are due, and renews the
// certificate if that is due.
func (a *Authority) Refresh() error {
	return withLock(a.folder.dir, func() error {
		files, err := a.folder.read(append(KeyringPieces(), certificateFile, keyFile, requestFile)...)
		if err != nil {
			return err
		}
		k, err := a.advance(files)
		if err != nil {
			return fmt.Errorf("%s: %w", a.folder.dir, err)
		}
		return a.serve(k, files)
	})
}

// advance takes all steps that are due, and writes each of them.
func (a *Authority) advance(files map[string][]byte) (*Keyring, error) {
	k := ParseKeyring(files)
	if err := k.Damage(); err != nil {
		a.log.Warn("the authority is damaged, and is repaired", "error", err)
	}
	for {
		now := a.now()
		next, step, err := k.Advance(now, Conditions{
			Request:  strings.TrimSpace(string(files[requestFile])),
			Injected: a.isInjected(k),
			Overlap:  a.overlap,
			Served:   files,
		})
		if err != nil || step == StepNone {
			return k, err
		}
		if err := a.folder.save(files, next.Data()); err != nil {
			return nil, err
		}
		for _, name := range KeyringPieces() {
			delete(files, name)
		}
		maps.Copy(files, next.Data())
		signsUntil := "no CA signs"
		if at := next.Expiry(); !at.IsZero() {
			signsUntil = date(at)
		}
		a.log.Log(context.Background(), step.Level(), step.String(), "step", string(step),
			"signsUntil", signsUntil, "overlap", a.overlap.String())
		k = next
	}
}

func (a *Authority) isInjected(k *Keyring) bool {
	if !k.Rotating() {
		return true
	}
	err := a.injected(k.Bundle())
	if a.waiting.changed(err) && err != nil {
		a.log.Info("the rotation waits for a caBundle", "reason", err.Error())
	}
	return err == nil
}

// serve serves the pair in the folder, or a new one if that pair is not fit.
func (a *Authority) serve(k *Keyring, files map[string][]byte) error {
	now := a.now()
	data, why, err := k.Serving(now, a.names, files)
	if err != nil {
		return err
	}
	if why != "" {
		a.log.Info("issuing a serving certificate", "reason", why)
		if err := a.folder.writeAll(data, keyFile, certificateFile); err != nil {
			return err
		}
	}
	pair, err := parsePair(data[certificateFile], data[keyFile], data[authorityCertificateFile], now)
	if err != nil {
		return err
	}
	if a.set(pair) {
		a.log.Info("serving certificate", "notAfter", date(pair.Leaf().NotAfter), "names", a.names)
	}
	return nil
}
