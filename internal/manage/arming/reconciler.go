package arming

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// reconciler keeps each CRD up to date with its Crosswalk.
type reconciler struct {
	Options
	live   client.Reader // asks the API server
	cached client.Reader // revisions, EndpointSlices
	writer client.Client

	mu      sync.Mutex
	written map[string][]time.Time                  // when each CRD was last armed, a few times
	lost    map[string][]*appsv1.ControllerRevision // deleted revisions, by CRD
	left    map[string]conversionSpec               // how each CRD was last armed
	waited  map[string]time.Duration                // how long each CRD waited before this look
}

// Reconcile implements reconcile.Reconciler. The request names a Crosswalk.
func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	t, err := r.Compiler.Read(ctx, r.live, request.Name)
	if err == nil && t == nil && isCanary(request.Name) {
		return reconcile.Result{}, r.makeCanaryTable(ctx)
	}
	if err == nil && t == nil {
		r.forget(request.Name)
	}
	if apierrors.IsForbidden(err) && t != nil {
		err = errors.Join(err, r.reportFailure(ctx, t, err))
	}
	if err != nil || t == nil {
		return reconcile.Result{}, err
	}
	step := r.keep
	if t.Crosswalk.DeletionTimestamp != nil {
		step = r.leave
	}
	s, err := step(ctx, t)
	if err == nil && !s.silent {
		err = r.report(ctx, t, s)
	}
	if apierrors.IsConflict(err) {
		// Another client was faster: read its change.
		return reconcile.Result{RequeueAfter: immediately}, nil
	}
	if err != nil {
		return reconcile.Result{}, errors.Join(err, r.reportFailure(ctx, t, err))
	}
	if !s.silent {
		s.again = r.pace(request.Name, s)
	}
	return reconcile.Result{RequeueAfter: s.again}, nil
}

// pace returns when to look again.
func (r *reconciler) pace(crd string, s state) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.waiting {
		delete(r.waited, crd)
		return s.again
	}
	r.waited[crd] = min(max(2*r.waited[crd], firstWait), longestWait)
	return r.waited[crd]
}

// target is the table with which a CRD should be armed.
type target struct {
	cluster.Converter
	// older reports that it is the last good table, because the current one does not compile.
	older bool
}

// keep arms the CRD of a table, once serve answers for it.
func (r *reconciler) keep(ctx context.Context, t *cluster.Table) (state, error) {
	s := state{fingerprint: t.Crosswalk.Status.Fingerprint, again: later}
	// This comes first, because nothing that follows may prevent it.
	if restored, err := r.restore(ctx, t); restored || err != nil {
		return state{silent: true, again: immediately}, err
	}
	if err := r.reviveRevision(ctx, t); err != nil {
		return s, err
	}
	if t.Problem != nil {
		s.compiled = no(t.Problem.Reason, t.Problem.Message)
	} else {
		s.compiled = yes("Compiled", fmt.Sprintf("the table fits the CRD; its fingerprint is %s", t.Converter.Fingerprint()))
		if err := r.prepare(ctx, t); err != nil {
			return s, err
		}
	}
	goal, err := r.target(ctx, t)
	if err != nil {
		return s, err
	}
	if goal == nil {
		s.judgeWithout(t.CRD, r.Serve.Service, r.hasRevision(ctx, t))
		return s, nil
	}
	return r.aim(ctx, t, goal, s)
}

// prepare does what must be done before a CRD is armed with a table.
func (r *reconciler) prepare(ctx context.Context, t *cluster.Table) error {
	// A canary is never stored, so its Crosswalk may be deleted at any time.
	if t.Crosswalk.DeletionTimestamp == nil && !isCanary(t.Crosswalk.Name) {
		removed := t.Crosswalk.Status.Fingerprint != "" && !controllerutil.ContainsFinalizer(t.Crosswalk, v1alpha1.FinalizerDisarm)
		if err := r.setFinalizer(ctx, t.Crosswalk, true); err != nil {
			return err
		}
		if removed {
			r.Events.Eventf(t.Crosswalk, nil, "Warning", "Restored", "Reconcile",
				"another client removed the finalizer %s, and it has been restored", v1alpha1.FinalizerDisarm)
		}
	}
	return r.keepRevision(ctx, t)
}

// target returns the current table or, if that does not compile, the one with which the CRD was
// last armed. It returns nil if there is neither.
func (r *reconciler) target(ctx context.Context, t *cluster.Table) (*target, error) {
	if t.Problem == nil {
		return &target{Converter: t.Current()}, nil
	}
	if t.CRD == nil {
		return nil, nil
	}
	// The status may not name the last table yet.
	armed, _ := r.Serve.Service.ArmedWith(t.CRD)
	for _, fingerprint := range []string{armed, t.Crosswalk.Status.Fingerprint} {
		if fingerprint == "" {
			continue
		}
		converter, err := r.fromRevision(ctx, t.Crosswalk.Name, fingerprint)
		if err != nil {
			return nil, err
		}
		if converter != nil && knows(*converter, t.CRD) {
			return &target{Converter: *converter, older: true}, nil
		}
	}
	return nil, nil
}

// knows reports whether an old table has a version in which objects of a CRD may be stored.
// Otherwise the CRD is another one with the same name.
func knows(converter cluster.Converter, crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(converter.Versions(), func(version string) bool {
		return slices.Contains(crd.Status.StoredVersions, version)
	})
}

// aim arms the CRD of a table with its target, once serve answers for it.
func (r *reconciler) aim(ctx context.Context, t *cluster.Table, goal *target, s state) (state, error) {
	crd := t.CRD
	armed, asks := r.Serve.Service.ArmedWith(crd)
	bundle, problem := r.Serve.Bundle(ctx)
	if problem == nil {
		w := r.want(crd, goal.Fingerprint(), bundle)
		holds := r.holds(crd, w)
		// The API server need not be tested for a CRD that already requests this table and only
		// gets another bundle.
		trial := trial{everyReplica: true, apiServer: !holds && !(asks && armed == goal.Fingerprint())}
		if isCanary(crd.Name) {
			trial.apiServer = holds // before that it can prove nothing
		}
		var err error
		if problem, err = r.tryBundle(ctx, &trial, goal.Converter, w, bundle); err != nil {
			return s, err
		}
		if problem == nil {
			s.placed = placed(trial.unplaced)
		}
		// A CRD that is unchanged since the last write needs another table of its author or
		// another CA, however often. That is not contention.
		if problem == nil && !holds && !r.asLeft(crd) {
			problem = r.contended(crd)
		}
		if problem == nil && !holds {
			if err := r.armAgain(ctx, t, w); err != nil {
				return s, err
			}
			armed, asks = goal.Fingerprint(), true
		}
	}
	// A process may have armed it and ended before it wrote the status.
	if asks && armed == goal.Fingerprint() {
		s.fingerprint = armed
	}
	if problem != nil && !asks && s.fingerprint != "" {
		problem = &reach.Obstacle{Reason: problem.Reason, Message: fmt.Sprintf("%s removed spec.conversion from the CRD, so writes are stored unconverted and lose fields; it is not restored yet: %s", disarmer(crd), problem.Message)}
	}
	unknown := cmp.Or(r.Serve.Obstacle(), r.Rights.Obstacle())
	s.judge(goal, armed, asks, cmp.Or(problem, unknown), r.Serve.Service)
	// When that is over, every Crosswalk is looked at.
	s.waiting = s.waiting && unknown == nil
	if !s.ready.ok {
		return s, nil
	}
	if !established(crd) {
		s.ready = no("NotEstablished", "the API server does not serve the CRD yet: see the conditions of the CRD")
		s.waiting = true
		return s, nil
	}
	if r.Now().Sub(r.lastWrite(crd.Name)) < settling {
		s.ready = no("Settling", "the CRD has just been armed; waiting for the API servers to pick up the change")
		s.again = settling
		return s, nil
	}
	return s, r.pruneRevisions(ctx, crd.Name, goal.Fingerprint())
}

func (r *reconciler) lastWrite(crd string) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := r.written[crd]; len(at) > 0 {
		return at[len(at)-1]
	}
	return time.Time{}
}

// forget drops the state of a Crosswalk that was deleted.
func (r *reconciler) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written, name)
	delete(r.left, name)
	delete(r.waited, name)
	delete(r.lost, name)
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(crd.Status.Conditions, func(c apiextensionsv1.CustomResourceDefinitionCondition) bool {
		return c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue
	})
}

// isCanary reports whether a CRD is the canary.
func isCanary(crd string) bool { return crd == cluster.CanaryCRD }
