package policies

import (
	"context"
	"errors"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// situation is the state that a pass works with.
type situation struct {
	all []*known
	now []webhooks.Side
	// told holds the registered scopes, by side and name.
	told []map[string]Scope
	// gone reports, for registered names that are not in the cache, that the policy is really
	// deleted.
	gone []map[string]bool
	// began is when the pass began.
	began time.Time
	// waiting reports that something is left to do.
	waiting bool
	// passage is the way through the API server itself.
	passage passage
}

// pass brings both configurations up to date, as far as possible, and returns when to try
// again.
func (r *reconciler) pass(ctx context.Context) (time.Duration, error) {
	s, err := r.look(ctx)
	if err != nil {
		return 0, errors.Join(err, r.reportUnread(ctx, err))
	}
	again, err := r.step(ctx, s)
	if apierrors.IsConflict(err) || ctx.Err() != nil || again {
		return webhooks.Immediately, err
	}
	if err != nil && reach.Refused(err) == nil {
		return 0, err // it is unknown what is registered
	}
	settling := r.keeper.Settling(Name)
	if reported := r.report(ctx, s, settling > 0); reported != nil {
		err = errors.Join(err, reported)
	}
	if s.waiting || settling == 0 {
		settling = r.keeper.Pace(s.waiting)
	}
	return r.untilPassage(s, r.untilRights(s, settling)), err
}

// reportUnread writes to the status of every policy that manage may not read what is
// registered. The conditions about that stay.
func (r *reconciler) reportUnread(ctx context.Context, failure error) error {
	if !apierrors.IsForbidden(failure) || ctx.Err() != nil {
		return nil
	}
	all, err := r.read(ctx)
	for _, k := range all {
		k.obstacle = reach.Refused(failure)
	}
	return errors.Join(err, r.report(ctx, &situation{all: all}, false))
}

// untilPassage returns when to try again, if the passage closes before that; 0 is never.
func (r *reconciler) untilPassage(s *situation, after time.Duration) time.Duration {
	if !s.passage.open || s.passage.until.IsZero() {
		return after
	}
	return r.sooner(after, s.passage.until)
}

// sooner returns the earlier of two times to try again, where 0 means never.
func (r *reconciler) sooner(after time.Duration, at time.Time) time.Duration {
	if wait := max(at.Sub(r.Now()), webhooks.Immediately); after == 0 || wait < after {
		return wait
	}
	return after
}

// untilRights returns when to try again, if rights must be checked before that; 0 is never.
// Those that were due in this pass have been answered, or are waited for.
func (r *reconciler) untilRights(s *situation, after time.Duration) time.Duration {
	for _, k := range s.all {
		if !k.rights.needed || k.rights.areDue(s.began) {
			continue
		}
		after = r.sooner(after, k.rights.due())
	}
	return after
}

// look reads everything.
func (r *reconciler) look(ctx context.Context) (*situation, error) {
	all, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	now, err := r.keeper.Read(ctx, r.live, Names())
	if err != nil {
		return nil, err
	}
	s := &situation{all: all, now: now, began: r.Now()}
	for i, side := range now {
		s.told = append(s.told, registered(side))
		gone := map[string]bool{}
		for name := range s.told[i] {
			if find(all, i, name) != nil {
				continue
			}
			// The cache may not have a policy yet that another leader has registered. A rule is
			// removed only with its policy.
			err := r.live.Get(ctx, client.ObjectKey{Name: name}, objectOf(i))
			if client.IgnoreNotFound(err) != nil {
				return nil, err
			}
			gone[name] = err != nil
		}
		s.gone = append(s.gone, gone)
	}
	if s.passage, err = r.passage(ctx, s.isPassed()); err != nil {
		return nil, err
	}
	for _, k := range all {
		if k.obstacle, err = r.unfit(ctx, k); err != nil {
			return nil, err
		}
		// The previous leader has confirmed what is ready and registered.
		if k.ready() && r.same(s, k) {
			k.confirmed = true
		}
	}
	return s, nil
}

func objectOf(side int) client.Object {
	if side == mutating {
		return new(v1alpha1.MutationPolicy)
	}
	return new(v1alpha1.ValidationPolicy)
}

// scope returns the scope in which a policy should be registered.
func (r *reconciler) scope(s *situation, k *known) Scope { return ScopeOf(k.policy, r.target(s)) }

// same reports whether it is registered that way already.
func (r *reconciler) same(s *situation, k *known) bool {
	is, there := s.told[k.side][k.object.GetName()]
	return there && is.hash() == r.scope(s, k).hash()
}

func (r *reconciler) target(s *situation) webhooks.Target {
	return webhooks.Target{Service: r.Serve.Service, Port: r.Serve.Port, ByItself: s.passage.open, Annotations: webhooks.Annotations(r.Serve)}
}

// plan returns the intended configurations. A policy with an obstacle, or that is missing in
// the cache, keeps its registration.
func (r *reconciler) plan(s *situation) []webhooks.Side {
	scopes := []map[string]Scope{{}, {}}
	for _, k := range s.all {
		name := k.object.GetName()
		if k.obstacle == nil {
			scopes[k.side][name] = r.scope(s, k)
		} else if is, there := s.told[k.side][name]; there {
			scopes[k.side][name] = is
		}
	}
	for i, gone := range s.gone {
		for name, is := range gone {
			if !is {
				scopes[i][name] = s.told[i][name]
			}
		}
	}
	return Plan(Desired{Target: r.target(s), Mutations: scopes[mutating], Validations: scopes[validating]}).Sides()
}

// step writes what is due. It reports whether to try again at once.
func (r *reconciler) step(ctx context.Context, s *situation) (again bool, err error) {
	goal := r.plan(s)
	questions, asked := r.questions(s, goal)
	refused := slices.ContainsFunc(s.all, func(k *known) bool { return k.refused.lasts(r.Now()) })
	s.waiting = refused
	if asked == 0 && r.keeper.Reached(ctx, s.now, goal) {
		return false, nil
	}
	isNew := func(k *known) bool { return !r.same(s, k) }
	bundles, err := r.keeper.Ask(ctx, s.now, goal, questions)
	if err != nil {
		for i := range goal {
			r.obstruct(s, i, reach.Refused(err), isNew)
		}
		return false, err
	}
	lacking := r.take(s, questions)
	s.waiting = refused || lacking || slices.ContainsFunc(bundles, inject.Bundle.Empty)
	should := r.plan(s)
	for i := range should {
		obstacle, failure := r.keeper.Write(ctx, s.now[i], should[i], bundles[i])
		switch {
		case failure != nil && reach.Refused(failure) == nil:
			return false, failure
		case failure != nil && r.blame(failure, should[i], i, s.all):
			again = true
		case failure != nil:
			err = errors.Join(err, failure)
			r.Logger.Error("the API server rejects a webhook configuration", "error", failure)
			r.obstruct(s, i, reach.Refused(failure), isNew)
		case obstacle != nil:
			s.waiting = true
			r.obstruct(s, i, obstacle, func(*known) bool { return true })
		}
	}
	return again, err
}

// obstruct sets the obstacle of those policies of a side that have none.
func (r *reconciler) obstruct(s *situation, side int, obstacle *reach.Obstacle, whose func(*known) bool) {
	for _, k := range s.all {
		if k.side == side && k.obstacle == nil && whose(k) {
			k.obstacle = obstacle
		}
	}
}

// questions returns the requests that must be answered, and how many of them are about the
// current form of a policy. If no policy is new, one request tests the bundle.
func (r *reconciler) questions(s *situation, goal []webhooks.Side) (questions [][]*webhooks.Question, asked int) {
	questions = make([][]*webhooks.Question, len(goal))
	// If one policy's rights are due, all are asked for, so that there is one pass for all.
	due := slices.ContainsFunc(s.all, func(k *known) bool { return k.rights.areDue(s.began) })
	for i, before := range paths() {
		for _, k := range s.all {
			if k.side == i && k.obstacle == nil && (!k.confirmed || due && k.rights.needed) {
				questions[i] = append(questions[i], question(before+"/"+k.object.GetName()+"?fingerprint="+k.fingerprint, k.object.GetName()))
				asked++
			}
		}
		if len(questions[i]) == 0 && len(goal[i].Webhooks) > 0 {
			questions[i] = append(questions[i], question(*goal[i].Webhooks[0].Client.Service.Path, ""))
		}
	}
	return questions, asked
}

// question is about an object of a kind that does not exist, so that only policies that match
// everything are evaluated for it.
func question(path, about string) *webhooks.Question {
	return &webhooks.Question{
		Path: path, Group: v1alpha1.GroupName, Version: v1alpha1.Version, Kind: "Probe", Resource: "probes", Operation: admissionv1.Create, About: about,
	}
}

// take records the answers for each policy, and reports whether any is missing.
func (r *reconciler) take(s *situation, questions [][]*webhooks.Question) (lacking bool) {
	for i := range questions {
		for _, q := range questions[i] {
			lacking = lacking || !q.Answered
			k := find(s.all, i, q.About)
			switch {
			case k == nil:
			case q.Answered:
				k.confirmed = true
				k.rights.hear(q, r.Now())
			case !k.confirmed:
				k.obstacle = q.Refusal
			}
		}
	}
	return lacking
}
