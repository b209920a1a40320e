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

// notArmed is the reason why nothing is guarded of a CRD that nobody converts.
const notArmed = "NotArmed"

// known is what there is to know about one Crosswalk.
type known struct {
	// crosswalk is as it was read, without its table. It need not be a valid one:
	// the table that was armed before then goes on answering, and is guarded.
	crosswalk *unstructured.Unstructured
	// table is what is to be guarded; nil where there is nothing.
	table *Table
	// because says why there is nothing.
	because verdict
}

// look takes a Crosswalk and its CRD as they are now.
func (r *reconciler) look(ctx context.Context, name string) error {
	crosswalk := new(unstructured.Unstructured)
	crosswalk.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
	if err := r.live.Get(ctx, client.ObjectKey{Name: name}, crosswalk); err != nil {
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
		// Nobody keeps a canary, so there is nothing to guard.
	case admission == string(v1alpha1.AdmissionNone):
		k.because = no("OptedOut", "spec.admission is None: what a client drops from the stash is lost, and values that cannot be converted are accepted")
	case !asks:
		k.because = no(notArmed, fmt.Sprintf("the CRD does not ask the Service %s/%s for conversions yet: see the condition Armed", r.Serve.Service.Namespace, r.Serve.Service.Name))
	default:
		table := TableOf(crd)
		k.table = &table
	}
	r.known[name] = k
	return nil
}

// withoutTable lets go of what takes most of the memory.
func withoutTable(crosswalk *unstructured.Unstructured) *unstructured.Unstructured {
	unstructured.RemoveNestedField(crosswalk.Object, "spec")
	return crosswalk
}

// complete reports whether every Crosswalk has been looked at, without which a new
// leader would take the rules of the others away.
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
