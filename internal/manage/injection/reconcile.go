package injection

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

const (
	// attempts is how often an object that others write to at the same time is
	// read again at once; after that the queue slows us down.
	attempts = 5
	// retryBundle is when a bundle that is not usable is looked at again. The
	// source tells when it changes; a clock that was wrong does not.
	retryBundle = time.Minute
)

// Reconcile looks at one object and writes what it lacks.
func (i *Injector) Reconcile(ctx context.Context, t target) (reconcile.Result, error) {
	var after time.Duration
	var err error
	for range attempts {
		if after, err = i.try(ctx, t); !apierrors.IsConflict(err) {
			break
		}
	}
	return reconcile.Result{RequeueAfter: after}, err
}

// try says when to look again; 0 leaves that to the watch.
func (i *Injector) try(ctx context.Context, t target) (time.Duration, error) {
	object, err := i.read(ctx, t)
	if apierrors.IsNotFound(err) {
		i.forget(t)
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	ask, err := inject.Asked(object.GetAnnotations())
	if err == nil && ask.None() {
		return i.release(ctx, t, object)
	}
	if ask.Secret.Name == "" {
		i.secrets.drop(t)
	}
	if err != nil {
		i.problem(t, object, nil, reasonAnnotation, err.Error())
		return 0, nil
	}
	origin, obstacle, err := i.origin(ctx, t, object, ask)
	if err != nil {
		return 0, err
	}
	if obstacle != nil {
		return i.blocked(t, object, ask, obstacle), nil
	}
	change, err := inject.Plan(object, origin.Bundle)
	if err != nil {
		return 0, err
	}
	if change.Apply != nil {
		if wait := i.writes.wait(t); wait > 0 {
			i.problem(t, object, nil, reasonContended, contention(object))
			return wait, nil
		}
		if obstacle, err := i.right(ctx, t); err != nil || obstacle != nil {
			return i.blocked(t, object, ask, obstacle), err
		}
		if err := i.write(ctx, t, object, change, whose(ask)); err != nil {
			return 0, err
		}
	}
	if change.Problem != nil {
		i.problem(t, object, nil, change.Problem.Reason, change.Problem.Message)
		return 0, nil
	}
	warning := misnamed(origin, change.Places, whose(ask))
	if i.states.set(t, stateInjected, warning) && warning != "" {
		i.warn(object, i.secrets.reference(ask.Secret), reasonMisnamed, warning)
	}
	return 0, nil
}

// blocked tells of an obstacle, and when to look again.
func (i *Injector) blocked(t target, object *unstructured.Unstructured, ask inject.Ask, o *obstacle) time.Duration {
	if o == nil {
		return 0
	}
	if o.reason != "" {
		i.problem(t, object, i.secrets.reference(ask.Secret), o.reason, o.message)
	}
	return o.again
}

// read gets the whole object from the API server.
func (i *Injector) read(ctx context.Context, t target) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(t.GroupVersionKind)
	return object, i.live.Get(ctx, client.ObjectKey{Name: t.Name}, object)
}

func (i *Injector) write(ctx context.Context, t target, object *unstructured.Unstructured, change inject.Change, whose string) error {
	err := i.writer.Apply(ctx, client.ApplyConfigurationFromUnstructured(change.Apply),
		client.FieldOwner(FieldManager), client.ForceOwnership)
	switch {
	case apierrors.IsConflict(err) || ctx.Err() != nil: // the latter: we are ending
		return err
	case err != nil:
		i.metrics.writes.WithLabelValues(t.Kind, "failure").Inc()
		i.problem(t, object, nil, reasonRefused, fmt.Sprintf("the API server refuses the caBundle: %v", err))
		return fmt.Errorf("%s: write the caBundle: %w", t, err)
	}
	i.writes.note(t)
	i.metrics.writes.WithLabelValues(t.Kind, "success").Inc()
	i.log.Info("wrote the CA bundle", "kind", t.Kind, "name", t.Name, "places", paths(change.Places))
	i.normal(object, reasonInjected, "wrote "+whose+" to "+strings.Join(paths(change.Places), ", "))
	if repaired := change.Repaired(); len(repaired) > 0 {
		i.metrics.repairs.WithLabelValues(t.Kind).Add(float64(len(repaired)))
		var all []string
		for _, p := range repaired {
			i.log.Warn("replaced a CA bundle that could not be read", "kind", t.Kind, "name", t.Name, "place", p.Path, "reason", p.Why)
			all = append(all, fmt.Sprintf("%s (%s)", p.Path, p.Why))
		}
		i.warn(object, nil, reasonRepaired, "replaced what could not be read as a CA bundle: "+strings.Join(all, ", ")+
			"; find out who wrote it")
	}
	if change.Verifies {
		i.normal(object, reasonVerified, "set insecureSkipTLSVerify to false, with which alone there may be a caBundle; "+
			"take it out of the manifest too, or applying that will be refused")
	}
	return nil
}

func paths(places []inject.Place) []string {
	var all []string
	for _, p := range places {
		all = append(all, p.Path)
	}
	return all
}
