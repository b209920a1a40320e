package certs

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// SecretWatch follows one Secret. It lists and watches with the field selector metadata.name. A
// Role that allows get, list and watch with this Secret's name in resourceNames is enough, and
// the process never sees another Secret.
type SecretWatch struct {
	Client          corev1client.SecretsGetter
	Namespace, Name string
	// Changed receives the Secret, or nil if it does not exist, as soon as that is known and at
	// every change. It must not block.
	Changed func(*corev1.Secret)
	// Failed receives the error of every failed attempt to watch, and nil when the watch works.
	// It must not block. It may be nil.
	Failed func(error)
}

// Run watches until ctx is done. While the API server is unavailable it tries again, after 10 s
// at most.
func (w SecretWatch) Run(ctx context.Context) {
	// Failed reports what client-go would log, in the caller's words.
	var silent klog.Logger
	retry := wait.Backoff{Duration: 500 * time.Millisecond, Factor: 2, Steps: 10, Cap: 10 * time.Second, Jitter: 0.2}
	reflector := cache.NewReflectorWithOptions(
		cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{ListWithContextFunc: w.list, WatchFuncWithContext: w.watch}, w.Client),
		&corev1.Secret{}, secretStore{w},
		cache.ReflectorOptions{Name: "secret " + w.Namespace + "/" + w.Name, Logger: &silent, Backoff: &retry})
	// reflector.RunWithContext would use an error handler, and a pause, that the whole process
	// shares.
	delay := retry
	for ctx.Err() == nil {
		if reflector.ListAndWatchWithContext(klog.NewContext(ctx, silent)) == nil {
			delay = retry // the API server ends every watch after some minutes
		}
		select {
		case <-ctx.Done():
		case <-time.After(delay.Step()):
		}
	}
}

func (w SecretWatch) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	w.selectName(&o)
	list, err := w.Client.Secrets(w.Namespace).List(ctx, o)
	if err != nil {
		// A successful list proves little: the watch may still be forbidden.
		w.failed(ctx, err)
		return nil, err
	}
	return list, nil
}

func (w SecretWatch) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	w.selectName(&o)
	events, err := w.Client.Secrets(w.Namespace).Watch(ctx, o)
	// An API server older than 1.34 rejects a streamed list. The reflector then lists.
	if !apierrors.IsInvalid(err) || o.SendInitialEvents == nil {
		w.failed(ctx, err)
	}
	return events, err
}

func (w SecretWatch) selectName(o *metav1.ListOptions) {
	o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, w.Name).String()
}

func (w SecretWatch) failed(ctx context.Context, err error) {
	if w.Failed != nil && ctx.Err() == nil {
		w.Failed(err)
	}
}

// secretStore receives the reflector's events. It keeps nothing.
type secretStore struct{ w SecretWatch }

func (s secretStore) Add(obj any) error    { return s.Update(obj) }
func (s secretStore) Resync() error        { return nil }
func (s secretStore) Delete(obj any) error { s.gone(obj); return nil }

func (s secretStore) Update(obj any) error {
	if secret, ok := s.ours(obj); ok {
		s.w.Changed(secret)
	}
	return nil
}

func (s secretStore) gone(obj any) {
	if _, ok := s.ours(obj); ok {
		s.w.Changed(nil)
	}
}

// Replace follows every list.
func (s secretStore) Replace(all []any, _ string) error {
	for _, obj := range all {
		if secret, ok := s.ours(obj); ok {
			s.w.Changed(secret)
			return nil
		}
	}
	s.w.Changed(nil)
	return nil
}

// ours guards against a server that ignores the field selector.
func (s secretStore) ours(obj any) (*corev1.Secret, bool) {
	secret, ok := obj.(*corev1.Secret)
	return secret, ok && secret.Name == s.w.Name && secret.Namespace == s.w.Namespace
}
