package arming

import (
	"context"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
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
		problem, err = r.try(ctx, trial{}, *converter, bundle)
	}
	if err != nil || problem != nil {
		return false, err // the usual way reports it
	}
	if err := r.arm(ctx, t.CRD, r.want(t.CRD, last, bundle)); err != nil {
		return false, err
	}
	r.Events.Eventf(t.Crosswalk, nil, "Warning", "Restored", "Reconcile",
		"%s removed spec.conversion from the CRD, and it has been restored; writes in between were not converted. If the removal was intended, delete the Crosswalk first", disarmer(t.CRD))
	return true, nil
}

// disarmer names the last writer of spec.conversion.
func disarmer(crd *apiextensionsv1.CustomResourceDefinition) string {
	name, at := "somebody", ""
	for _, entry := range crd.ManagedFields {
		if entry.Manager == FieldManager || entry.FieldsV1 == nil || !strings.Contains(entry.FieldsV1.GetRawString(), `"f:conversion"`) {
			continue
		}
		if when := fmt.Sprint(entry.Time); when >= at {
			name, at = entry.Manager, when
		}
	}
	return name
}
