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
	// attempts is how often an object that others write at the same time is read again at once.
	// After that the queue delays us.
	attempts = 5
	// retryBundle is when an unusable bundle is checked again. The source notifies us of
	// changes, but not when a wrong clock is corrected.
	retryBundle = time.Minute
)

// Reconcile checks one object and writes what it lacks.
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

// try returns when to look again; 0 means when the watch reports a change.
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
		if err := i.write(ctx, t, object, change, origin.Bundle, whose(ask)); err != nil {
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

// blocked reports an obstacle, and returns when to look again.
func (i *Injector) blocked(t target, object *unstructured.Unstructured, ask inject.Ask, o *obstacle) time.Duration {
	if o == nil {
		return 0
	}
	if o.reason != "" {
		i.problem(t, object, i.secrets.reference(ask.Secret), o.reason, o.message)
	}
	return o.again
}

// read reads the whole object from the API server.
func (i *Injector) read(ctx context.Context, t target) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(t.GroupVersionKind)
	return object, i.live.Get(ctx, client.ObjectKey{Name: t.Name}, object)
}

func (i *Injector) write(ctx context.Context, t target, object *unstructured.Unstructured, change inject.Change, bundle inject.Bundle, whose string) error {
	restores := i.writes.changed(t, object)
	err := i.writer.Apply(ctx, client.ApplyConfigurationFromUnstructured(change.Apply),
		client.FieldOwner(FieldManager), client.ForceOwnership)
	switch {
	case apierrors.IsConflict(err) || ctx.Err() != nil: // ctx has ended if we are ending
		return err
	case err != nil:
		i.metrics.writes.WithLabelValues(t.Kind, "failure").Inc()
		i.problem(t, object, nil, reasonRefused, fmt.Sprintf("the API server rejects the caBundle: %v", err))
		return fmt.Errorf("%s: writing the caBundle: %w", t, err)
	}
	i.writes.note(t, bundle)
	i.metrics.writes.WithLabelValues(t.Kind, "success").Inc()
	i.log.Info("wrote the CA bundle", "kind", t.Kind, "name", t.Name, "places", paths(change.Places))
	done := "wrote " + whose + " to " + strings.Join(paths(change.Places), ", ")
	if restores {
		i.warn(object, nil, reasonRestored, writers(object)+" changed the caBundle, and it has been restored: "+done)
	} else {
		i.normal(object, reasonInjected, done)
	}
	if repaired := change.Repaired(); len(repaired) > 0 {
		i.metrics.repairs.WithLabelValues(t.Kind).Add(float64(len(repaired)))
		var all []string
		for _, p := range repaired {
			i.log.Warn("replaced a CA bundle that could not be read", "kind", t.Kind, "name", t.Name, "place", p.Path, "reason", p.Why)
			all = append(all, fmt.Sprintf("%s (%s)", p.Path, p.Why))
		}
		i.warn(object, nil, reasonRepaired, "replaced a CA bundle that could not be read: "+strings.Join(all, ", ")+
			"; check who wrote it")
	}
	if change.Verifies {
		i.normal(object, reasonVerified, "set insecureSkipTLSVerify to false, because a caBundle requires that; "+
			"remove it from the manifest, too, or applying the manifest will fail")
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
