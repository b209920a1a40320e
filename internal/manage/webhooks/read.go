package webhooks

import (
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Read reads both configurations. It asks the API server only if the cache of their metadata,
// which the Writer has, has another version than the one last read: passes are frequent, and
// changes are rare. A change that is not in the cache yet is followed by an event, and until
// then nothing is written except over what was read.
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

// last is a configuration as it was last read.
type last struct {
	object client.Object
	// unheard reports that the cache is older.
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
			return nil // it does not exist
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

// lastKey distinguishes configurations with the same name by their kinds.
func lastKey(object client.Object, name string) string { return fmt.Sprintf("%T %s", object, name) }

func (k *Keeper) remember(key string, l last) {
	if k.read == nil {
		k.read = map[string]last{}
	}
	k.read[key] = l
}
