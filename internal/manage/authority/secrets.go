package authority

import (
	"bytes"
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// retryRace is how soon to look again after another client has written.
const retryRace = time.Second

// labels mark the Secrets as ours. They are added to writes that are due anyway, and cause no
// write.
func labels() map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "crosswalk",
		"app.kubernetes.io/component":  "manage",
		"app.kubernetes.io/managed-by": "crosswalk",
	}
}

// read returns a Secret, or nil if it does not exist.
func (k *keeper) read(ctx context.Context, name string) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	err := k.reader.Get(ctx, client.ObjectKey{Namespace: k.Namespace, Name: name}, secret)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("secret %s: %w", k.path(name), err)
	}
	return secret, nil
}

// write sets the named pieces of a Secret and keeps the rest. It fails if the Secret was
// written since it was read. It returns the Secret as it now is.
func (k *keeper) write(ctx context.Context, old *corev1.Secret, name string, kind corev1.SecretType, names []string, pieces map[string][]byte) (*corev1.Secret, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: k.Namespace, Name: name}, Type: kind}
	if old != nil {
		secret = old.DeepCopy()
	}
	if secret.Data == nil {
		secret.Data = map[string][]byte{}
	}
	for _, name := range names {
		if content, ok := pieces[name]; ok {
			secret.Data[name] = content
		} else {
			delete(secret.Data, name)
		}
	}
	if secret.Labels == nil {
		secret.Labels = map[string]string{}
	}
	for label, value := range labels() {
		secret.Labels[label] = value
	}
	var err error
	if old == nil {
		err = k.writer.Create(ctx, secret)
	} else {
		err = k.writer.Update(ctx, secret)
	}
	if err != nil {
		return nil, fmt.Errorf("secret %s: %w", k.path(name), err)
	}
	return secret, nil
}

func data(secret *corev1.Secret) map[string][]byte {
	if secret == nil {
		return nil
	}
	return secret.Data
}

func same(names []string, a, b map[string][]byte) bool {
	for _, name := range names {
		if !bytes.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}
