package admit

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// world is a cluster with certain objects, each in every version of its kind.
type world struct {
	*policy.Given
	kinds *kinds
	// has holds the kinds of the objects, in the versions in which they can be read.
	has map[schema.GroupVersionKind]bool
	// only holds the version of objects that cannot be converted here.
	only map[schema.GroupKind]string
}

// newWorld returns a cluster with the given objects, which many writes share, and those of one
// write. Objects without a namespace are in the default one.
func (k *kinds) newWorld(given, own []*unstructured.Unstructured, defaultNamespace string) (*world, error) {
	w := &world{kinds: k, has: map[schema.GroupVersionKind]bool{}, only: map[schema.GroupKind]string{}}
	var all []*unstructured.Unstructured
	for _, one := range []struct {
		objects []*unstructured.Unstructured
		read    func(*unstructured.Unstructured, string) ([]*unstructured.Unstructured, error)
	}{{own, k.readable}, {given, k.readableOnce}} {
		for _, object := range one.objects {
			versions, err := one.read(object, defaultNamespace)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
			}
			for _, v := range versions {
				w.has[v.GroupVersionKind()] = true
			}
			if gvk := object.GroupVersionKind(); len(versions) == 1 {
				w.only[gvk.GroupKind()] = gvk.Version
			}
			all = append(all, versions...)
		}
	}
	w.Given = policy.NewGiven(all...)
	return w, nil
}

var namespaces = corev1.SchemeGroupVersion.WithKind("Namespace")

// reading identifies an object that is read with a default namespace.
type reading struct {
	object    *unstructured.Unstructured
	namespace string
}

// readableOnce caches the results of readable: all writes of a run have the same context. The
// result is shared and must not be changed.
func (k *kinds) readableOnce(object *unstructured.Unstructured, namespace string) ([]*unstructured.Unstructured, error) {
	key := reading{object, namespace}
	if known, found := k.read.Load(key); found {
		return known.([]*unstructured.Unstructured), nil
	}
	versions, err := k.readable(object, namespace)
	if err == nil {
		k.read.Store(key, versions)
	}
	return versions, err
}

// readable returns copies of an object as the API server shows it, in every version.
func (k *kinds) readable(given *unstructured.Unstructured, namespace string) ([]*unstructured.Unstructured, error) {
	object := given.DeepCopy()
	known, err := k.find(object.GroupVersionKind())
	if err != nil {
		if k.defines(object.GroupVersionKind().GroupKind()) != nil {
			return nil, err
		}
		// An object of an unknown kind exists nevertheless.
		return []*unstructured.Unstructured{object}, nil
	}
	known.place(object, namespace)
	written := copied(object.Object)
	if object.Object, _, err = known.receive(object.Object); err != nil {
		return nil, err
	}
	if known.custom == nil && byHand(written) {
		if object.Object, err = known.begun(object.Object, written); err != nil {
			return nil, err
		}
	}
	var all []*unstructured.Unstructured
	for _, version := range known.versions() {
		if c := known.custom; c != nil && !slices.Contains(c.served(), version.Version) {
			continue
		}
		converted, err := known.convert(object, version)
		if err != nil {
			return nil, err
		}
		all = append(all, converted)
	}
	return all, nil
}

// place sets the namespace of an object without one, and removes the namespace of a
// cluster-scoped object.
func (k *kind) place(object *unstructured.Unstructured, namespace string) {
	switch {
	case !k.namespaced:
		unstructured.RemoveNestedField(object.Object, "metadata", "namespace")
	case object.GetNamespace() == "":
		object.SetNamespace(namespace)
	}
}

// Namespaced implements [policy.Objects].
func (w *world) Namespaced(ctx context.Context, gvk schema.GroupVersionKind) (bool, error) {
	known, err := w.kinds.find(gvk)
	switch version := w.only[gvk.GroupKind()]; {
	case w.has[gvk] && known == nil:
		return w.Given.Namespaced(ctx, gvk)
	case version != "" && !w.has[gvk]:
		return false, fmt.Errorf("the given objects of that kind are in %s, and nothing can convert them to %s; add their CRD and Crosswalk to --config", version, gvk.Version)
	case err != nil:
		return false, fmt.Errorf("%w: %w", policy.ErrUnknownKind, err)
	}
	return known.namespaced, nil
}

// Reread implements [policy.Reader].
func (w *world) Reread(gvk schema.GroupVersionKind, text []byte) ([]byte, error) {
	known, err := w.kinds.find(gvk)
	if err != nil {
		known = &kind{GroupVersionKind: gvk} // of a subresource
	}
	object, err := read(text)
	if err != nil {
		return nil, err
	}
	completed, err := known.complete(object.Object, true)
	if err != nil {
		return nil, err
	}
	return encode(completed)
}

// Again implements [policy.Reader].
func (w *world) Again(gvk schema.GroupVersionKind, text []byte) ([]byte, error) {
	plugin := plugins[gvk]
	if plugin == nil {
		return text, nil
	}
	object, err := read(text)
	if err != nil {
		return nil, err
	}
	made, err := plugin(w, copied(object.Object))
	if err != nil || equality.Semantic.DeepEqual(made, object.Object) {
		return text, err
	}
	return encode(made)
}
