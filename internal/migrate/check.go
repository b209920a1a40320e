package migrate

import (
	"context"
	"fmt"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// prepare checks everything that can be known before the first write, and decides how objects
// are written.
func (m *Migrator) prepare(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (*target, error) {
	if crd.DeletionTimestamp != nil {
		return nil, fmt.Errorf("the CRD is being deleted")
	}
	established := condition(crd, apiextensionsv1.Established)
	if established == nil || established.Status != apiextensionsv1.ConditionTrue {
		return nil, fmt.Errorf("the CRD is not served%s: its condition Established must be true first", whyNot(crd))
	}
	served := servedVersions(crd)
	if len(served) == 0 {
		return nil, fmt.Errorf("no version of the CRD is served, so its objects cannot be reached: serve one of them, best %s, which is stored", storageVersion(crd))
	}
	t := &target{
		client:   m.client,
		group:    crd.Spec.Group,
		kind:     crd.Spec.Names.Kind,
		plural:   crd.Spec.Names.Plural,
		via:      served[0].Name,
		versions: currentVersions(crd),
		dryRun:   m.options.DryRun,
	}
	if err := converted(crd, t.via); err != nil {
		return nil, fmt.Errorf("nothing was written, because %w", err)
	}
	var versions []string
	for _, v := range served {
		versions = append(versions, v.Name)
	}
	t.list = t.listIn(versions)
	subresource, err := m.checkRights(ctx, crd, hasStatus(served[0]))
	if err != nil {
		return nil, err
	}
	t.subresource = subresource
	if len(t.versions) < len(crd.Spec.Versions) {
		if t.table, err = m.table(ctx, crd); err != nil {
			return nil, fmt.Errorf("reading the Crosswalk: %w", err)
		}
	}
	return t, nil
}

// whyNot returns what the CRD's conditions say about conflicting names.
func whyNot(crd *apiextensionsv1.CustomResourceDefinition) string {
	if c := condition(crd, apiextensionsv1.NamesAccepted); c != nil && c.Status != apiextensionsv1.ConditionTrue {
		return " (" + c.Reason + ": " + c.Message + ")"
	}
	return ""
}

// settleTime is how long after a change of the CRD every API server has seen it. They watch
// CRDs, so it takes them moments. An API server that has not seen the change may still store
// objects in the previous version.
const settleTime = 5 * time.Second

// unsettled returns how much of that time is left. The clocks of this host and of the API
// server may differ: if ours is behind, the whole time is waited.
func unsettled(crd *apiextensionsv1.CustomResourceDefinition, now time.Time) time.Duration {
	var changed time.Time
	for _, f := range crd.ManagedFields {
		if f.Subresource == "" && f.Manager != fieldManager && f.Time != nil && f.Time.After(changed) {
			changed = f.Time.Time
		}
	}
	return min(changed.Add(settleTime).Sub(now), settleTime)
}

// sampled is how many objects are tried before the first is written.
const sampled = 5

// probe tries some objects without writing. If none of them can be written, the others would
// fail as well, and probe returns the first error.
//
// An object is converted when it is requested in another version than it is stored in, so probe
// requests each served version.
func (t *target) probe(ctx context.Context, objects []object) error {
	var first error
	tries := bulk.Few() // of all objects together
	for _, o := range objects[:min(sampled, len(objects))] {
		err := tries.Persist(ctx, func() error { return t.try(ctx, o) })
		switch {
		case err == nil, isGone(err, t.plural, o.name), bulk.Classify(err) == bulk.Conflict:
			return nil
		case bulk.Classify(err) == bulk.Stopped:
			return err
		case first == nil:
			first = err
		}
	}
	return first
}

func (t *target) try(ctx context.Context, o object) error {
	for _, version := range t.list.Versions {
		got, err := t.get(ctx, version, o)
		if err != nil {
			return err
		}
		o = got
	}
	_, err := t.tryWrite(ctx, o)
	return err
}

// explain adds the remedy to an error.
func explain(crd *apiextensionsv1.CustomResourceDefinition, err error) error {
	text := err.Error()
	initializing := strings.Contains(text, "(re)initializing") && crd.Spec.Conversion != nil && crd.Spec.Conversion.Webhook != nil
	if !strings.Contains(text, "conversion webhook for ") && !initializing {
		return err
	}
	return fmt.Errorf("%w; objects are converted by %s: check that it runs and is ready, and that caBundle in the CRD's spec.conversion is the CA of its certificate", err, converter(crd))
}

// converter names the webhook that converts.
func converter(crd *apiextensionsv1.CustomResourceDefinition) string {
	c := crd.Spec.Conversion
	if c == nil || c.Webhook == nil || c.Webhook.ClientConfig == nil {
		return "the API server"
	}
	if s := c.Webhook.ClientConfig.Service; s != nil {
		return "the Service " + s.Namespace + "/" + s.Name
	}
	if url := c.Webhook.ClientConfig.URL; url != nil {
		return *url
	}
	return "a webhook"
}
