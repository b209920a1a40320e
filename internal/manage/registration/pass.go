package registration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// outcome is what came of a pass.
type outcome struct {
	// lacking says of a CRD what keeps a version of it from being guarded.
	lacking map[string]*reach.Obstacle
	// waiting says that there is something left to do.
	waiting bool
}

// pass brings both configurations in step, as far as they can be, and says when to
// try again.
func (r *reconciler) pass(ctx context.Context) (time.Duration, error) {
	if ready, err := r.complete(ctx); !ready || err != nil {
		return 0, err
	}
	now, err := read(ctx, r.live)
	if err != nil {
		return 0, err
	}
	o, err := r.step(ctx, now)
	if err != nil && !apierrors.IsConflict(err) && ctx.Err() == nil {
		var refusal apierrors.APIStatus
		if errors.As(err, &refusal) {
			r.Logger.Error("the API server refuses the webhook configurations", "error", err)
			o = r.allLacking(now, &reach.Obstacle{Reason: "Refused", Message: fmt.Sprintf("the API server refuses what crosswalk manage has to do, which tries again: %v", err)})
		}
	}
	settling := r.settling()
	if reported := r.report(ctx, o.lacking, settling > 0); reported != nil {
		err = errors.Join(err, reported)
	}
	if o.waiting || settling == 0 {
		return r.pace(o.waiting), err
	}
	return settling, err
}

// pace says when to look again.
func (r *reconciler) pace(waiting bool) time.Duration {
	if !waiting {
		r.waited = 0
		return 0
	}
	r.waited = min(max(2*r.waited, firstWait), longestWait)
	return r.waited
}

// settling is how long an API server is still given to hear of the last write.
func (r *reconciler) settling() time.Duration {
	var last time.Time
	for _, w := range r.written {
		if at := w.at[len(w.at)-1]; at.After(last) {
			last = at
		}
	}
	return max(0, last.Add(settling).Sub(r.now()))
}

// step writes what is to be written.
func (r *reconciler) step(ctx context.Context, now []side) (outcome, error) {
	goal := Desired{
		Service: r.Serve.Service, Port: r.Serve.Port, Annotations: r.annotations(),
		Tables: r.tables(), KeepConversion: true, Configuration: true,
	}
	secret, obstacle := r.Serve.Bundle(ctx)
	if obstacle == nil && r.reached(goal, now, secret) {
		return outcome{}, nil
	}
	o := outcome{lacking: map[string]*reach.Obstacle{}, waiting: true}
	bundles := make([]inject.Bundle, len(now))
	questions := r.questions(now)
	if obstacle == nil {
		for i := range now {
			bundles[i] = r.bundle(now[i], secret)
			unheard, err := r.ask(ctx, bundles[i], questions[i])
			if err != nil {
				return o, err
			}
			if unheard != nil {
				bundles[i] = inject.Bundle{} // nobody would be believed by it yet
			}
		}
	} else {
		for _, q := range slices.Concat(questions...) {
			q.refusal = obstacle
		}
	}
	may := r.allowed(goal, now, slices.Concat(questions...), o.lacking)
	should := Plan(may).sides()
	for i := range should {
		should[i].setBundle(bundles[i], now[i])
	}
	for i := range should {
		if bundles[i].Empty() && len(now[i].webhooks) == 0 || now[i].holds(should[i]) {
			continue
		}
		if obstacle := r.contended(now[i], should[i]); obstacle != nil {
			r.lack(o.lacking, obstacle)
			continue
		}
		if err := r.apply(ctx, now[i], should[i]); err != nil {
			return o, err
		}
	}
	o.waiting = len(o.lacking) > 0 || !may.KeepConversion || !may.Configuration ||
		slices.ContainsFunc(bundles, inject.Bundle.Empty)
	return o, nil
}

// reached says whether everything is as it should be.
func (r *reconciler) reached(goal Desired, now []side, secret inject.Bundle) bool {
	should := Plan(goal).sides()
	for i := range should {
		should[i].setBundle(r.bundle(now[i], secret), now[i])
		if !now[i].holds(should[i]) {
			return false
		}
	}
	return true
}
