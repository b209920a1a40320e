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

// leave removes the finalizer of a deleted Crosswalk, after disarming its CRD, as soon as no
// object can need a conversion. Until then the CRD stays armed.
func (r *reconciler) leave(ctx context.Context, t *cluster.Table) (state, error) {
	if !controllerutil.ContainsFinalizer(t.Crosswalk, v1alpha1.FinalizerDisarm) {
		return state{silent: true}, nil
	}
	if t.CRD == nil {
		return r.release(ctx, t)
	}
	_, asks := r.Serve.Service.ArmedWith(t.CRD)
	// If the strategy is None although the CRD was armed, another client has removed the
	// conversion. That is a reason to restore it, not to disarm.
	converts := asks || t.Crosswalk.Status.Fingerprint != "" && !convertedElsewhere(t.CRD)
	var needs []string
	if remedy := stillNeeded(t); converts && remedy != "" {
		needs = append(needs, "its CRD still needs it: "+remedy)
	}
	policies, err := r.neededByPolicies(ctx, t)
	if err != nil {
		return state{}, err
	}
	if policies != "" {
		needs = append(needs, "policies still need it: "+policies)
	}
	if len(needs) == 0 {
		if asks {
			if err := r.disarm(ctx, t.CRD); err != nil {
				return state{}, err
			}
		}
		return r.release(ctx, t)
	}
	s := state{compiled: yes("Compiled", "the table fits the CRD"), armed: no("StillNeeded", "spec.conversion names another converter, or none")}
	if converts {
		if s, err = r.keep(ctx, t); s.silent {
			return s, err
		}
	}
	message := "this Crosswalk is being deleted, but " + strings.Join(needs, ". Also, ")
	if s.waiting {
		message += ". Meanwhile: " + s.ready.message
	}
	s.ready = no("StillNeeded", message)
	if policies != "" && !s.waiting {
		s.again = longestWait // policies are not watched here
	}
	return s, err
}

// neededByPolicies explains why policies need a Crosswalk, and what to do about it. It returns
// "" if none does. serve evaluates a policy for the hub version with the table, so without it
// every write that the policy matches would fail.
func (r *reconciler) neededByPolicies(ctx context.Context, t *cluster.Table) (string, error) {
	if t.CRD.DeletionTimestamp != nil {
		return "", nil
	}
	names, err := r.HubPolicies(ctx, t.CRD.Name)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return fmt.Sprintf("%s, for its hub version. Without it, writes that they match would fail. Delete these policies, or remove spec.hub from them", strings.Join(names, ", ")), nil
}

// convertedElsewhere reports whether a CRD names a webhook. If it does not name the Service,
// that webhook is not ours.
func convertedElsewhere(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
}

func (r *reconciler) release(ctx context.Context, t *cluster.Table) (state, error) {
	if err := r.pruneRevisions(ctx, t.Crosswalk.Name, ""); err != nil {
		return state{}, err
	}
	return state{silent: true}, r.setFinalizer(ctx, t.Crosswalk, false)
}

// disarm makes the API server convert by changing only the apiVersion.
func (r *reconciler) disarm(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	if err := r.replaceConversion(ctx, crd, map[string]any{"strategy": string(apiextensionsv1.NoneConverter)}); err != nil {
		return err
	}
	r.Logger.Info("disarmed", "crd", crd.Name)
	if crd.Annotations[reach.InjectCAFrom] == "" {
		return nil
	}
	// Applying nothing gives up the annotation, if it was ours.
	after := head(crd)
	after.SetResourceVersion("")
	return r.apply(ctx, crd, after)
}

// stillNeeded explains why a CRD needs conversion, and what to do about it. It returns "" if
// the CRD does not need it.
func stillNeeded(t *cluster.Table) string {
	crd := t.CRD
	if isCanary(crd.Name) || t.Identical() {
		// A canary is never stored. Between identical versions, changing the apiVersion is
		// enough.
		return ""
	}
	if crd.DeletionTimestamp != nil {
		return "the CRD is being deleted, and its objects may need conversion until they are deleted; this Crosswalk is deleted with it"
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
	return fmt.Sprintf("%s. Without conversion, reads would show fields of the wrong version and writes would lose them. To stop using Crosswalk, %s; or point spec.conversion at another converter; or delete the CRD",
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
	// Only the change is sent: we never rewrite rows.
	patch := client.MergeFromWithOptions(crosswalk, client.MergeFromWithOptimisticLock{})
	err := r.writer.Patch(ctx, next, patch, client.FieldOwner(FieldManager))
	crosswalk.Finalizers, crosswalk.ResourceVersion = next.Finalizers, next.ResourceVersion
	return err
}
