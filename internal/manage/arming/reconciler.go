package arming

import (
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
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// reconciler keeps one CRD after another in step with its Crosswalk.
type reconciler struct {
	Options
	live   client.Reader // asks the API server
	cached client.Reader // revisions, EndpointSlices
	writer client.Client

	mu      sync.Mutex
	written map[string][]time.Time                  // when each CRD was armed, the last few times
	lost    map[string][]*appsv1.ControllerRevision // that were deleted, by CRD
	left    map[string]wanted                       // how each CRD was armed last
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
		// Somebody was faster: look at what they did.
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

// pace says when to look again.
func (r *reconciler) pace(crd string, s standing) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.waiting {
		delete(r.waited, crd)
		return s.again
	}
	r.waited[crd] = min(max(2*r.waited[crd], firstWait), longestWait)
	return r.waited[crd]
}

// target is what a CRD should be armed with.
type target struct {
	cluster.Converter
	// older says that it is the last good table, because the present one does
	// not compile.
	older bool
}

// keep arms the CRD of a table, once that can answer.
func (r *reconciler) keep(ctx context.Context, t *cluster.Table) (standing, error) {
	s := standing{fingerprint: t.Crosswalk.Status.Fingerprint, again: later}
	// First of all, because nothing that follows may keep it from being done.
	if restored, err := r.restore(ctx, t); restored || err != nil {
		return standing{silent: true, again: immediately}, err
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
		s.judgeWithout(t.CRD, r.Service, r.hasRevision(ctx, t))
		return s, nil
	}
	return r.aim(ctx, t.CRD, goal, s)
}

// prepare does what must be done before a CRD is armed with a table.
func (r *reconciler) prepare(ctx context.Context, t *cluster.Table) error {
	// No canary is ever stored, so its Crosswalk can go at any time.
	if t.Crosswalk.DeletionTimestamp == nil && !isCanary(t.Crosswalk.Name) {
		if err := r.setFinalizer(ctx, t.Crosswalk, true); err != nil {
			return err
		}
	}
	return r.keepRevision(ctx, t)
}

// target is the table as it is now, or else the one that the CRD was last armed
// with. It is nil where there is neither.
func (r *reconciler) target(ctx context.Context, t *cluster.Table) (*target, error) {
	if t.Problem == nil {
		return &target{Converter: t.Current()}, nil
	}
	if t.CRD == nil {
		return nil, nil
	}
	// The status may not say yet what the CRD was armed with last.
	armed, _ := r.Service.ArmedWith(t.CRD)
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

// knows reports whether a table of before knows a version in which objects of a CRD
// may be stored. Otherwise the CRD is another one of the same name.
func knows(converter cluster.Converter, crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(converter.Versions(), func(version string) bool {
		return slices.Contains(crd.Status.StoredVersions, version)
	})
}

// aim arms a CRD with its target, once that can answer.
func (r *reconciler) aim(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, goal *target, s standing) (standing, error) {
	armed, asks := r.Service.ArmedWith(crd)
	bundle, problem := r.bundle(ctx)
	if problem == nil {
		w := r.want(crd, goal.Fingerprint(), bundle)
		holds := r.holds(crd, w)
		// The API server need not be tried for a CRD that asks for this table
		// already, and gets another bundle.
		trial := trial{everyReplica: true, apiServer: !holds && !(asks && armed == goal.Fingerprint())}
		if isCanary(crd.Name) {
			trial.apiServer = holds // before that it can show nothing
		}
		var err error
		if problem, err = r.tryBundle(ctx, trial, goal.Converter, w, bundle); err != nil {
			return s, err
		}
		// A CRD that is as it was left waits for its author's next table, however
		// many there were, or for the next CA: that is no contention.
		if problem == nil && !holds && !r.asLeft(crd) {
			problem = r.contended(crd)
		}
		if problem == nil && !holds {
			if err := r.arm(ctx, crd, w); err != nil {
				return s, err
			}
			armed, asks = goal.Fingerprint(), true
		}
	}
	// It may have been armed by a process that ended before it could say so.
	if asks && armed == goal.Fingerprint() {
		s.fingerprint = armed
	}
	if problem != nil && !asks && s.fingerprint != "" {
		problem = &obstacle{problem.reason, fmt.Sprintf("%s has taken the conversion of the CRD away, so writes are stored unconverted and lose fields; it is not restored yet: %s", disarmer(crd), problem.message)}
	}
	s.judge(goal, armed, asks, problem, r.Service)
	if !s.ready.ok {
		return s, nil
	}
	if !established(crd) {
		s.ready = no("NotEstablished", "the API server does not serve the CRD yet: see its own conditions")
		s.waiting = true
		return s, nil
	}
	if r.Now().Sub(r.lastWrite(crd.Name)) < settling {
		s.ready = no("Settling", "the CRD has just been armed; API servers are hearing of it")
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

// forget drops what is known of a Crosswalk that is gone.
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

// isCanary reports whether a CRD is the one by which the API server is tried.
func isCanary(crd string) bool { return crd == cluster.CanaryCRD }
