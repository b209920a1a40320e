package certs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// SecretOptions configure a [Secret].
type SecretOptions struct {
	// Client reads the Secret: a kubernetes.Interface's CoreV1() or
	// corev1client.NewForConfig. It needs get, list and watch for this Secret
	// only: see [SecretWatch].
	Client          corev1client.SecretsGetter
	Namespace, Name string
	// Logger receives reloads and errors, never a key. The default discards them.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Secret is a [Source] of a Secret that somebody else keeps, such as `crosswalk manage` or
// cert-manager. The Secret has tls.crt, tls.key and, unless the issuer is unknown, ca.crt. A
// change is served at once. The last good pair stays if the Secret is deleted or broken, or the
// API server is unavailable.
type Secret struct {
	holder
	watch      SecretWatch
	log        *slog.Logger
	now        func() time.Time
	wake       chan struct{}
	watchError lastError // the last error of the watch that was logged

	mu       sync.Mutex
	latest   *corev1.Secret
	answered bool  // whether the API server has answered if the Secret exists
	failure  error // why it has not
}

// NewSecret returns a source that has no pair before [Secret.Run] has found the Secret.
func NewSecret(o SecretOptions) *Secret {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Secret{
		log:  o.Logger.With("secret", o.Namespace+"/"+o.Name),
		now:  o.Now,
		wake: make(chan struct{}, 1),
	}
	s.watch = SecretWatch{Client: o.Client, Namespace: o.Namespace, Name: o.Name, Changed: s.changed, Failed: s.failed}
	s.fail(s.errorf("the API server has not been asked for it yet"))
	return s
}

// Run implements [Source].
func (s *Secret) Run(ctx context.Context) error {
	// Run does not wait for the watch to end: client-go ignores the end of ctx while it waits
	// for an unavailable API server.
	go s.watch.Run(ctx)
	// The API server soon answers whether the Secret exists. Until then there is nothing to
	// report.
	select {
	case <-ctx.Done():
		return nil
	case <-s.wake:
	}
	return refreshUntil(ctx, s.Refresh, newReporter(s.log, s.holds), s.wake)
}

// Refresh reads the Secret as the watch last saw it. Run calls it when the Secret changes, and
// periodically, for a certificate that becomes valid or expires.
func (s *Secret) Refresh() error {
	pair, err := s.load()
	if err != nil {
		err = s.errorf("%w", err)
		s.fail(err)
		return err
	}
	if pair != nil && s.set(pair) {
		s.log.Info("serving certificate", "notAfter", date(pair.Leaf().NotAfter))
	}
	return nil
}

func (s *Secret) load() (*Pair, error) {
	s.mu.Lock()
	secret, answered, failure := s.latest, s.answered, s.failure
	s.mu.Unlock()
	switch {
	case !answered:
		return nil, failure
	case secret == nil:
		return nil, errors.New("it does not exist; `crosswalk manage` or cert-manager makes it: check that the one you use runs")
	}
	return ParseSecret(secret.Data, s.now())
}

// ParseSecret returns the pair that a [Secret] serves if these are its data: tls.crt, tls.key
// and, unless the issuer is unknown, ca.crt. It returns an error if clients would not accept the
// pair.
func ParseSecret(data map[string][]byte, now time.Time) (*Pair, error) {
	for _, name := range []string{certificateFile, keyFile} {
		if len(data[name]) == 0 {
			return nil, fmt.Errorf("it has no %s", name)
		}
	}
	ca := data[authorityCertificateFile]
	if len(ca) == 0 {
		ca = nil // cert-manager writes an empty one where the issuer is unknown
	}
	return parsePair(data[certificateFile], data[keyFile], ca, now)
}

func (s *Secret) changed(secret *corev1.Secret) {
	s.mu.Lock()
	s.latest, s.answered = secret, true
	s.mu.Unlock()
	s.poke()
}

// failed logs once why the API server does not answer. Before its first answer, the same error
// also explains why there is no certificate, and Run reports it as such.
func (s *Secret) failed(err error) {
	s.mu.Lock()
	if err != nil {
		s.failure = err
	}
	answered := s.answered
	s.mu.Unlock()
	if !answered {
		if err != nil {
			s.poke()
		}
		return
	}
	if !s.watchError.changed(err) {
		return
	}
	if err != nil {
		s.log.Warn("the Secret cannot be watched, so a renewal would go unseen; trying again", "error", err)
		return
	}
	s.log.Info("the Secret is watched again")
}

func (s *Secret) poke() {
	select {
	case s.wake <- struct{}{}:
	default: // a wake-up is pending already
	}
}

func (s *Secret) errorf(format string, args ...any) error {
	return fmt.Errorf("secret %s/%s: "+format, append([]any{s.watch.Namespace, s.watch.Name}, args...)...)
}
