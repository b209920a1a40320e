package registration

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// outcome is the result of a pass.
type outcome struct {
	// lacking maps a CRD to what keeps a version of it from being guarded.
	lacking map[string]*reach.Obstacle
	// waiting reports that something is left to do.
	waiting bool
}

// pass brings both configurations up to date, as far as possible, and returns when to try
// again.
func (r *reconciler) pass(ctx context.Context) (time.Duration, error) {
	if ready, err := r.complete(ctx); !ready || err != nil {
		return 0, err
	}
	var o outcome
	now, err := r.keeper.Read(ctx, r.live, Names())
	if err == nil {
		o, err = r.step(ctx, now)
	}
	if err != nil {
		refusal := reach.Refused(err)
		if refusal == nil || ctx.Err() != nil || now == nil && !apierrors.IsForbidden(err) {
			return 0, err // it is unknown what is registered
		}
		r.Logger.Error("the API server rejects a request for the webhook configurations", "error", err)
		if o = (outcome{waiting: true}); now == nil {
			r.lack(&o, refusal)
		} else {
			r.lackNew(&o, now, refusal)
		}
	}
	if obstacle := cmp.Or(r.Serve.Obstacle(), r.Rights.Obstacle()); obstacle != nil {
		r.lack(&o, obstacle)
	}
	settling := r.keeper.Settling(MutatingName, ValidatingName)
	if reported := r.report(ctx, o.lacking, settling > 0); reported != nil {
		err = errors.Join(err, reported)
	}
	if o.waiting || settling == 0 {
		return r.keeper.Pace(o.waiting), err
	}
	return settling, err
}

// step writes what is due.
func (r *reconciler) step(ctx context.Context, now []webhooks.Side) (outcome, error) {
	goal := Desired{
		Target: webhooks.Target{Service: r.Serve.Service, Port: r.Serve.Port, Annotations: webhooks.Annotations(r.Serve)},
		Tables: r.tables(), KeepConversion: true, Configuration: true,
	}
	aim := Plan(goal).Sides()
	if r.keeper.Reached(ctx, now, aim) {
		return outcome{}, nil
	}
	o := outcome{lacking: map[string]*reach.Obstacle{}, waiting: true}
	questions := r.questions(now)
	bundles, err := r.keeper.Ask(ctx, now, aim, questions)
	if err != nil {
		return o, err
	}
	may := r.allowed(goal, now, slices.Concat(questions...), o.lacking)
	should := Plan(may).Sides()
	for i := range should {
		obstacle, err := r.keeper.Write(ctx, now[i], should[i], bundles[i])
		if err != nil {
			return o, err
		}
		if obstacle != nil {
			r.lack(&o, obstacle)
		}
	}
	o.waiting = len(o.lacking) > 0 || !may.KeepConversion || !may.Configuration ||
		slices.ContainsFunc(bundles, inject.Bundle.Empty)
	return o, nil
}
