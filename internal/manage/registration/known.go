package registration

import (
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// notArmed is the reason why a CRD that Crosswalk does not convert is not guarded.
const notArmed = "NotArmed"

// known is the state of one Crosswalk.
type known struct {
	// crosswalk is the Crosswalk as it was read, without its table. It need not be valid: the
	// table that was armed before continues to answer, and is guarded.
	crosswalk *unstructured.Unstructured
	// table is the resource to guard, or nil.
	table *Table
	// because is why table is nil.
	because verdict
}

// look reads a Crosswalk and its CRD.
func (r *reconciler) look(ctx context.Context, name string) error {
	crosswalk, err := r.crosswalk(ctx, name)
	if err != nil {
		if client.IgnoreNotFound(err) == nil {
			delete(r.known, name)
			return nil
		}
		return err
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := r.live.Get(ctx, client.ObjectKey{Name: name}, crd); client.IgnoreNotFound(err) != nil {
		return err
	}
	_, asks := r.Serve.Service.ArmedWith(crd)
	admission, _, _ := unstructured.NestedString(crosswalk.Object, "spec", "admission")
	k := &known{crosswalk: withoutTable(crosswalk)}
	switch {
	case name == cluster.CanaryCRD:
		// A canary is never stored, so there is nothing to guard.
	case admission == string(v1alpha1.AdmissionNone):
		k.because = no("OptedOut", "spec.admission is None: clients can drop kept values, and values that cannot be converted are accepted")
	case !asks:
		k.because = no(notArmed, fmt.Sprintf("spec.conversion of the CRD does not name the Service %s/%s yet: see the condition Armed", r.Serve.Service.Namespace, r.Serve.Service.Name))
	default:
		table := TableOf(crd)
		k.table = &table
	}
	r.known[name] = k
	return nil
}

// crosswalk reads a Crosswalk.
func (r *reconciler) crosswalk(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	crosswalk := new(unstructured.Unstructured)
	crosswalk.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
	return crosswalk, r.live.Get(ctx, client.ObjectKey{Name: name}, crosswalk)
}

// withoutTable drops the part that takes most of the memory.
func withoutTable(crosswalk *unstructured.Unstructured) *unstructured.Unstructured {
	unstructured.RemoveNestedField(crosswalk.Object, "spec")
	return crosswalk
}

// complete reports whether every Crosswalk has been read. Before that, a new leader would
// remove the rules of the others.
func (r *reconciler) complete(ctx context.Context) (bool, error) {
	if r.caughtUp {
		return true, nil
	}
	heads := new(metav1.PartialObjectMetadataList)
	heads.SetGroupVersionKind(cluster.CrosswalkHead().GroupVersionKind())
	if err := r.cached.List(ctx, heads, client.UnsafeDisableDeepCopy); err != nil {
		return false, err
	}
	r.caughtUp = !slices.ContainsFunc(heads.Items, func(head metav1.PartialObjectMetadata) bool { return r.known[head.Name] == nil })
	return r.caughtUp, nil
}
