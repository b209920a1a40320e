package injection

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// secrets follows the Secrets that objects name, each for as long as one does. Of a Secret it
// keeps only public parts.
type secrets struct {
	client corev1client.SecretsGetter
	now    func() time.Time

	mu sync.Mutex
	// run starts a watch that runs until end is called, and look asks for a look at an object
	// that has news. Both are set before an object is looked at.
	run  func(certs.SecretWatch) (end func())
	look func(target)
	of   map[target]types.NamespacedName
	all  map[types.NamespacedName]*followed
}

// followed is the state of a Secret.
type followed struct {
	end func()
	by  map[target]bool
	// public has the public parts of the Secret, once the API server has sent it. It is nil if
	// the Secret does not exist.
	public *corev1.Secret
	told   bool
	// version is the resourceVersion of the Secret.
	version string
	// failed is why the watch does not work any more.
	failed error
}

var (
	// errUntold is the error before the API server has answered. After its answer the objects
	// are looked at again.
	errUntold = errors.New("it is not known yet")
	// errAbsent means that the Secret does not exist.
	errAbsent = errors.New("it does not exist; create it, or correct the annotation")
)

func newSecrets(client corev1client.SecretsGetter, now func() time.Time) *secrets {
	return &secrets{client: client, now: now, of: map[target]types.NamespacedName{}, all: map[types.NamespacedName]*followed{}}
}

// start lets watches work until ctx is done.
func (s *secrets) start(ctx context.Context, look func(target)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look = look
	s.run = func(w certs.SecretWatch) func() {
		ctx, end := context.WithCancel(ctx)
		go w.Run(ctx)
		return end
	}
}

// origin returns the CA of a Secret, and has t looked at again when the CA changes. It fails
// with a Forbidden of the API server if the owner has not consented.
func (s *secrets) origin(t target, name types.NamespacedName) (inject.Origin, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[t] != name {
		s.leave(t)
		s.join(t, name)
	}
	switch f := s.all[name]; {
	case f.failed != nil:
		return inject.Origin{}, f.failed
	case !f.told:
		return inject.Origin{}, errUntold
	case f.public == nil:
		return inject.Origin{}, errAbsent
	default:
		return inject.FromSecret(f.public, s.now())
	}
}

// reference refers to a Secret as it was last seen. It returns nil without a name.
func (s *secrets) reference(name types.NamespacedName) runtime.Object {
	if name.Name == "" {
		return nil
	}
	reference := &corev1.ObjectReference{APIVersion: "v1", Kind: "Secret", Namespace: name.Namespace, Name: name.Name}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.all[name]; f != nil {
		reference.ResourceVersion = f.version
	}
	return reference
}

// drop ends what origin has begun for t.
func (s *secrets) drop(t target) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave(t)
}

func (s *secrets) join(t target, name types.NamespacedName) {
	f := s.all[name]
	if f == nil {
		f = &followed{by: map[target]bool{}}
		s.all[name] = f
		f.end = s.run(certs.SecretWatch{
			Client: s.client, Namespace: name.Namespace, Name: name.Name,
			Changed: func(secret *corev1.Secret) { s.changed(f, secret) },
			Failed:  func(err error) { s.failed(f, err) },
		})
	}
	f.by[t] = true
	s.of[t] = name
}

func (s *secrets) leave(t target) {
	name, names := s.of[t]
	if !names {
		return
	}
	delete(s.of, t)
	f := s.all[name]
	delete(f.by, t)
	if len(f.by) == 0 {
		f.end()
		delete(s.all, name)
	}
}

func (s *secrets) changed(f *followed, secret *corev1.Secret) {
	version := ""
	if secret != nil {
		version, secret = secret.ResourceVersion, inject.Public(secret)
	}
	s.news(f, func() { f.public, f.told, f.version = secret, true, version })
}

// failed handles an error of the watch. The known state of a Secret stays while the API server
// is unavailable, but not when we may no longer read the Secret.
func (s *secrets) failed(f *followed, err error) {
	s.mu.Lock()
	same := fmt.Sprint(err) == fmt.Sprint(f.failed) || err != nil && f.told && !apierrors.IsForbidden(err)
	s.mu.Unlock()
	if !same {
		s.news(f, func() { f.failed = err })
	}
}

// news asks for a look at every object that names the Secret.
func (s *secrets) news(f *followed, happened func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	happened()
	for t := range f.by {
		s.look(t)
	}
}
