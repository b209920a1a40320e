package arming

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// restore arms a CRD again that another client has disarmed, with its last table, and reports
// whether it did. Every write loses data until then, so only the Service is asked: all its
// replicas had that table. A newer table follows in the usual way.
func (r *reconciler) restore(ctx context.Context, t *cluster.Table) (bool, error) {
	last := t.Crosswalk.Status.Fingerprint
	if t.CRD == nil || last == "" {
		return false, nil
	}
	if _, asks := r.Serve.Service.ArmedWith(t.CRD); asks {
		return false, nil
	}
	if convertedElsewhere(t.CRD) && r.contended(t.CRD) != nil {
		return false, nil // the usual way reports it
	}
	converter, err := r.fromRevision(ctx, t.CRD.Name, last)
	if err != nil || converter == nil || !knows(*converter, t.CRD) {
		return false, err
	}
	bundle, problem := r.Serve.Bundle(ctx)
	if problem == nil {
		problem, err = r.try(ctx, new(trial), *converter, bundle)
	}
	if err != nil || problem != nil {
		return false, err // the usual way reports it
	}
	return true, r.armAgain(ctx, t, r.want(t.CRD, last, bundle))
}

// armAgain is arm, with an Event if another client has changed spec.conversion.
func (r *reconciler) armAgain(ctx context.Context, t *cluster.Table, w conversionSpec) error {
	change := r.meddling(t, w)
	if err := r.arm(ctx, t.CRD, w); err != nil || change == "" {
		return err
	}
	// client-go drops an Event that differs from another only in its note, so the CRD, with its
	// resourceVersion, is part of it.
	r.Events.Eventf(t.Crosswalk, t.CRD, "Warning", "Restored", "Reconcile", "%s", tell.Note(change))
	return nil
}

// meddling describes what another client has changed in spec.conversion since the CRD was
// armed, as far as a write corrects it. It returns "" if there is no such change.
func (r *reconciler) meddling(t *cluster.Table, w conversionSpec) string {
	if t.Crosswalk.Status.Fingerprint == "" {
		return "" // the CRD was never armed
	}
	const unconverted = "; writes in between were not converted by Crosswalk. If that was intended, delete the Crosswalk first"
	if !convertedElsewhere(t.CRD) {
		return disarmer(t.CRD) + " removed spec.conversion from the CRD, and it has been restored" + unconverted
	}
	change := tell.Changed(t.CRD, FieldManager, r.differences(t.CRD, w))
	if len(change.Fields) == 0 {
		return ""
	}
	text := change.String() + " of the CRD, and it has been restored"
	if _, asks := r.Serve.Service.ArmedWith(t.CRD); !asks {
		text += unconverted
	}
	return text
}

// differences returns the fields of spec.conversion that a write changes.
func (r *reconciler) differences(crd *apiextensionsv1.CustomResourceDefinition, w conversionSpec) *fieldpath.Set {
	live := crd.Spec.Conversion.DeepCopy()
	if config := live.Webhook.ClientConfig; config != nil && (w.caInjector != "" || sameBundle(crd, w)) {
		config.CABundle = w.bundle // the write changes its comments, or cainjector its content
	}
	is, err := runtime.DefaultUnstructuredConverter.ToUnstructured(live)
	if err != nil {
		return fieldpath.NewSet(conversionPath)
	}
	has, lacks := tell.Differences(conversionPath, is, r.conversion(w))
	return has.Union(lacks)
}

// conversionPath is the path of spec.conversion.
var conversionPath = fieldpath.MakePathOrDie("spec", "conversion")

// disarmer names the last writer of spec.conversion.
func disarmer(crd *apiextensionsv1.CustomResourceDefinition) string {
	return tell.LastWriter(crd, FieldManager, conversionPath)
}
