package webhooks

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Read reads both configurations, each from the API server only where the cache of
// their heads, which the Writer has, knows of another than was read last: passes are
// many, and changes few. What the cache has not heard of yet comes with an event, and
// nothing is written meanwhile but over what was read.
func (k *Keeper) Read(ctx context.Context, live client.Reader, names Names) ([]Side, error) {
	p := Pair{new(admissionregistrationv1.MutatingWebhookConfiguration), new(admissionregistrationv1.ValidatingWebhookConfiguration)}
	if err := read(ctx, k, live, names.Mutating, p.Mutating); err != nil {
		return nil, err
	}
	if err := read(ctx, k, live, names.Validating, p.Validating); err != nil {
		return nil, err
	}
	return p.Sides(), nil
}

// last is a configuration as it was read last.
type last struct {
	object client.Object
	// unheard says that the cache is behind it.
	unheard bool
}

// configuration is either kind.
type configuration[T any] interface {
	*T
	client.Object
	DeepCopyInto(*T)
}

func read[T any, P configuration[T]](ctx context.Context, k *Keeper, live client.Reader, name string, into P) error {
	kind, err := k.Writer.GroupVersionKindFor(into)
	if err != nil {
		return err
	}
	head := new(metav1.PartialObjectMetadata)
	head.SetGroupVersionKind(kind)
	if err := k.Writer.Get(ctx, client.ObjectKey{Name: name}, head); client.IgnoreNotFound(err) != nil {
		return err
	}
	key := lastKey(into, name)
	before := k.read[key]
	if !before.unheard {
		if head.ResourceVersion == "" {
			return nil // there is none
		}
		if object, ok := before.object.(P); ok && object.GetResourceVersion() == head.ResourceVersion {
			object.DeepCopyInto(into)
			return nil
		}
	}
	if err := live.Get(ctx, client.ObjectKey{Name: name}, into); client.IgnoreNotFound(err) != nil {
		return err
	}
	k.remember(key, last{into.DeepCopyObject().(client.Object), into.GetResourceVersion() != head.ResourceVersion})
	return nil
}

// lastKey tells configurations of one name apart by their kinds.
func lastKey(object client.Object, name string) string { return fmt.Sprintf("%T %s", object, name) }

func (k *Keeper) remember(key string, l last) {
	if k.read == nil {
		k.read = map[string]last{}
	}
	k.read[key] = l
}
