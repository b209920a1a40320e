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

// refreshInterval is how often a source looks at its folder: for files that
// another process has changed, and for a renewal that is due.
const refreshInterval = 10 * time.Second

// AuthorityOptions say how the built-in authority works.
type AuthorityOptions struct {
	// Dir holds ca.crt, ca.key, tls.crt and tls.key. It is made if missing.
	// Several processes may share it if they want the same Names.
	Dir string
	// Names are the DNS names and IP addresses to serve as. See [ServiceNames].
	Names []string
	// Logger gets renewals and what goes wrong, never a key. The default is
	// silent.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Authority is a [Source] with a CA of its own.
type Authority struct {
	holder
	dir     string
	subject subject
	log     *slog.Logger
	now     func() time.Time
}

// NewAuthority opens the folder and makes what is missing in it, so that the
// pair is there when it returns.
func NewAuthority(o AuthorityOptions) (*Authority, error) {
	s, err := parseNames(o.Names)
	if err != nil {
		return nil, err
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
	a := &Authority{dir: o.Dir, subject: s, log: o.Logger.With("dir", o.Dir), now: o.Now}
	return a, a.Refresh()
}

// Run implements [Source].
func (a *Authority) Run(ctx context.Context) error {
	return refreshUntil(ctx, a.Refresh, a.log)
}

// Refresh reads the folder and renews what is due.
func (a *Authority) Refresh() error {
	return withLock(a.dir, func() error {
		ca, err := a.issuer()
		if err != nil {
			return err
		}
		pair, err := a.leaf(ca)
		if err != nil {
			return err
		}
		if a.set(pair) {
			a.log.Info("serving certificate", "notAfter", date(pair.Leaf().NotAfter), "names", a.subject.sorted())
		}
		return nil
	})
}

// issuer reads the CA, or makes it where there is none or its time is over.
func (a *Authority) issuer() (*issuer, error) {
	keyText, err := a.read(authorityKeyFile)
	if err != nil {
		return nil, err
	}
	certificate, err := a.read(authorityCertificateFile)
	if err != nil {
		return nil, err
	}
	if keyText == nil {
		if certificate != nil {
			// Clients may trust it, so it is not replaced behind their back.
			return nil, a.broken(authorityCertificateFile, errors.New("its key, ca.key, is missing"))
		}
		return a.newIssuer()
	}
	key, err := parseKey(keyText)
	if err != nil {
		return nil, a.broken(authorityKeyFile, err)
	}
	if certificate == nil {
		// Whoever made the key was interrupted. The same key makes an equal CA.
		ca, err := newIssuer(key, a.now())
		if err != nil {
			return nil, err
		}
		return ca, writeFile(a.dir, authorityCertificateFile, ca.pem, certificateMode)
	}
	ca, err := parseIssuer(certificate, key)
	if err != nil {
		return nil, a.broken(authorityCertificateFile, err)
	}
	now := a.now()
	if now.Before(ca.certificate.NotBefore) {
		return nil, a.broken(authorityCertificateFile,
			fmt.Errorf("it is not valid before %s; is the clock right?", date(ca.certificate.NotBefore)))
	}
	if now.After(ca.certificate.NotAfter) {
		a.log.Warn("the CA has expired and is replaced: every caBundle must be, too", "notAfter", date(ca.certificate.NotAfter))
		return a.newIssuer()
	}
	return ca, nil
}

// newIssuer makes a CA and writes it. The certificate comes last: without it
// the key counts as unused.
func (a *Authority) newIssuer() (*issuer, error) {
	key, keyText, err := newKey()
	if err != nil {
		return nil, err
	}
	ca, err := newIssuer(key, a.now())
	if err != nil {
		return nil, err
	}
	// An expired certificate must not be left beside the new key.
	if err := os.Remove(filepath.Join(a.dir, authorityCertificateFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := writeFile(a.dir, authorityKeyFile, keyText, keyMode); err != nil {
		return nil, err
	}
	if err := writeFile(a.dir, authorityCertificateFile, ca.pem, certificateMode); err != nil {
		return nil, err
	}
	a.log.Info("made a CA", "notAfter", date(ca.certificate.NotAfter))
	return ca, nil
}

// leaf reads the serving pair, or issues it where it is missing, does not fit
// or is due.
func (a *Authority) leaf(ca *issuer) (*Pair, error) {
	certificate, err := a.read(certificateFile)
	if err != nil {
		return nil, err
	}
	key, err := a.read(keyFile)
	if err != nil {
		return nil, err
	}
	now := a.now()
	if certificate != nil && key != nil {
		// Whatever is wrong with it, a new one is right.
		pair, err := parsePair(certificate, key, ca.pem, now)
		if err == nil && a.subject.matches(pair.Leaf()) && !renewalDue(pair.Leaf(), now) {
			return pair, nil
		}
	}
	if certificate, key, err = ca.issue(a.subject, now); err != nil {
		return nil, err
	}
	if err := writeFile(a.dir, keyFile, key, keyMode); err != nil {
		return nil, err
	}
	if err := writeFile(a.dir, certificateFile, certificate, certificateMode); err != nil {
		return nil, err
	}
	return parsePair(certificate, key, ca.pem, now)
}

// read returns a file's content, nil where there is none.
func (a *Authority) read(name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(a.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

func (a *Authority) broken(name string, err error) error {
	return fmt.Errorf("%s: %w; restore the CA, or remove ca.crt and ca.key to make a new one, which every caBundle must then hold",
		filepath.Join(a.dir, name), err)
}
