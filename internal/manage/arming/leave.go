package arming

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// leave lets a deleted Crosswalk go, and disarms its CRD first, as soon as no
// object can need a conversion. Until then it goes on keeping the CRD armed.
func (r *reconciler) leave(ctx context.Context, t *cluster.Table) (standing, error) {
	if !controllerutil.ContainsFinalizer(t.Crosswalk, v1alpha1.FinalizerDisarm) {
		return standing{silent: true}, nil
	}
	asks := false
	if t.CRD != nil {
		_, asks = r.Service.ArmedWith(t.CRD)
	}
	// Where the strategy is None although the CRD was armed, somebody has taken the
	// conversion away: that is no reason to go, but to restore it.
	if t.CRD == nil || !asks && (t.Crosswalk.Status.Fingerprint == "" || convertedElsewhere(t.CRD)) {
		return r.letGo(ctx, t)
	}
	remedy := stillNeeded(t)
	if remedy == "" {
		if asks {
			if err := r.disarm(ctx, t.CRD); err != nil {
				return standing{}, err
			}
		}
		return r.letGo(ctx, t)
	}
	s, err := r.keep(ctx, t)
	if s.silent {
		return s, err
	}
	message := "this Crosswalk is being deleted, but its CRD still needs it: " + remedy
	if s.waiting {
		message += ". Meanwhile: " + s.ready.message
	}
	s.ready = no("StillNeeded", message)
	return s, err
}

// convertedElsewhere reports whether a CRD asks a webhook, which is not ours where it
// does not ask the Service.
func convertedElsewhere(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
}

func (r *reconciler) letGo(ctx context.Context, t *cluster.Table) (standing, error) {
	if err := r.pruneRevisions(ctx, t.Crosswalk.Name, ""); err != nil {
		return standing{}, err
	}
	return standing{silent: true}, r.setFinalizer(ctx, t.Crosswalk, false)
}

// disarm makes the API server convert by changing the apiVersion alone.
func (r *reconciler) disarm(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	if err := r.replaceConversion(ctx, crd, map[string]any{"strategy": string(apiextensionsv1.NoneConverter)}); err != nil {
		return err
	}
	r.Logger.Info("disarmed", "crd", crd.Name)
	if crd.Annotations[reach.InjectCAFrom] == "" {
		return nil
	}
	// To apply nothing gives up the annotation, if it was ours.
	after := head(crd)
	after.SetResourceVersion("")
	return r.apply(ctx, crd, after)
}

// stillNeeded says why a CRD cannot do without conversion, and what to do about
// it; it is empty where the CRD can.
func stillNeeded(t *cluster.Table) string {
	crd := t.CRD
	if isCanary(crd.Name) || t.Identical() {
		// No canary is ever stored. Between versions that are alike changing the
		// apiVersion is all there is to do.
		return ""
	}
	if crd.DeletionTimestamp != nil {
		return "the CRD is being deleted, and its objects may need conversion until they are gone; this Crosswalk goes with it"
	}
	storage := ""
	var served []string
	for _, v := range crd.Spec.Versions {
		switch {
		case v.Storage:
			storage = v.Name
		case v.Served:
			served = append(served, v.Name)
		}
	}
	older := slices.DeleteFunc(slices.Clone(crd.Status.StoredVersions), func(v string) bool { return v == storage })
	if len(served) == 0 && len(older) == 0 {
		return ""
	}
	var causes, steps []string
	if len(older) > 0 {
		causes = append(causes, fmt.Sprintf("objects may be stored as %s (status.storedVersions)", strings.Join(older, ", ")))
		steps = append(steps, fmt.Sprintf("run `crosswalk migrate %s`", crd.Name))
	}
	if len(served) > 0 {
		causes = append(causes, fmt.Sprintf("%s is served beside %s", strings.Join(served, ", "), storage))
		steps = append(steps, fmt.Sprintf("set `served: false` in the CRD for %s", strings.Join(served, ", ")))
	}
	return fmt.Sprintf("%s. Without conversion, reads would show fields of the wrong version and writes would lose them. To take Crosswalk out, %s; or point spec.conversion at another converter; or delete the CRD",
		strings.Join(causes, ", and "), strings.Join(steps, ", then "))
}

func (r *reconciler) setFinalizer(ctx context.Context, crosswalk *v1alpha1.Crosswalk, there bool) error {
	next := crosswalk.DeepCopy()
	set := controllerutil.RemoveFinalizer
	if there {
		set = controllerutil.AddFinalizer
	}
	if !set(next, v1alpha1.FinalizerDisarm) {
		return nil
	}
	// Only what has changed is sent: rows are never rewritten by us.
	patch := client.MergeFromWithOptions(crosswalk, client.MergeFromWithOptimisticLock{})
	err := r.writer.Patch(ctx, next, patch, client.FieldOwner(FieldManager))
	crosswalk.Finalizers, crosswalk.ResourceVersion = next.Finalizers, next.ResourceVersion
	return err
}
