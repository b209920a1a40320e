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

// SecretOptions say where a Secret is.
type SecretOptions struct {
	// Client reads the Secret: a kubernetes.Interface's CoreV1() or
	// corev1client.NewForConfig. It needs get, list and watch for this Secret
	// only: see [SecretWatch].
	Client          corev1client.SecretsGetter
	Namespace, Name string
	// Logger gets reloads and what goes wrong, never a key. The default is
	// silent.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Secret is a [Source] of a Secret that somebody else keeps, such as `crosswalk
// manage` or cert-manager: tls.crt, tls.key and, unless the issuer is unknown,
// ca.crt. A change is served at once. Where the Secret is deleted or broken, or
// the API server is away, the last good pair stays.
type Secret struct {
	holder
	watch SecretWatch
	log   *slog.Logger
	now   func() time.Time
	wake  chan struct{}
	reach said // what was told of the watch

	mu     sync.Mutex
	latest *corev1.Secret
	asked  bool  // whether the API server has said if there is one
	away   error // what keeps it from saying
}

// NewSecret returns a source that has nothing to give before [Secret.Run] has
// found the Secret.
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
	s.fail(s.errorf("it has not been asked for yet"))
	return s
}

// Run implements [Source].
func (s *Secret) Run(ctx context.Context) error {
	// Nobody waits for its end: client-go sleeps through ctx's where the API
	// server is away.
	go s.watch.Run(ctx)
	// The API server says soon whether there is a Secret: until then there is
	// nothing to report.
	select {
	case <-ctx.Done():
		return nil
	case <-s.wake:
	}
	return refreshUntil(ctx, s.Refresh, newReporter(s.log, s.holds), s.wake)
}

// Refresh takes the Secret as the watch has seen it last. Run does so whenever it
// changes, and now and then, for a certificate whose time comes.
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
	secret, asked, away := s.latest, s.asked, s.away
	s.mu.Unlock()
	switch {
	case !asked:
		return nil, away
	case secret == nil:
		return nil, errors.New("it does not exist; whoever issues the certificate makes it: see that `crosswalk manage` or cert-manager runs")
	}
	for _, name := range []string{certificateFile, keyFile} {
		if len(secret.Data[name]) == 0 {
			return nil, fmt.Errorf("it has no %s", name)
		}
	}
	ca := secret.Data[authorityCertificateFile]
	if len(ca) == 0 {
		ca = nil // cert-manager writes an empty one where the issuer is unknown
	}
	return parsePair(secret.Data[certificateFile], secret.Data[keyFile], ca, s.now())
}

func (s *Secret) changed(secret *corev1.Secret) {
	s.mu.Lock()
	s.latest, s.asked = secret, true
	s.mu.Unlock()
	s.poke()
}

// failed tells once why the API server does not answer. Before it ever has, that
// is also why there is no certificate, and told as such.
func (s *Secret) failed(err error) {
	s.mu.Lock()
	if err != nil {
		s.away = err
	}
	asked := s.asked
	s.mu.Unlock()
	if !asked {
		if err != nil {
			s.poke()
		}
		return
	}
	if !s.reach.news(err) {
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
	default: // it will look anyway
	}
}

func (s *Secret) errorf(format string, args ...any) error {
	return fmt.Errorf("secret %s/%s: "+format, append([]any{s.watch.Namespace, s.watch.Name}, args...)...)
}
