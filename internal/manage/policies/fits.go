package policies

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// fits checks policies against the schemas of the cluster. Those are large and may take time,
// so fits works in parallel to the passes, and asks for a pass when it has a new result.
type fits struct {
	source *schemas.Source
	passes reach.Passes
	// soon holds a request to check at once.
	soon chan struct{}

	lock   sync.Mutex
	wanted []client.Object // shared, and not to be changed
	known  map[types.UID]*fit
}

// fit is the result for one generation of a policy.
type fit struct {
	generation int64
	// used is what the result depends on. It is nil if the check failed and must be repeated.
	used *schemas.Used
	// verdict is the condition in the status, or nil.
	verdict *verdict
	// missing is what the policy names and does not exist, or "".
	missing string
}

// How often schemas are checked again, and how long that may take. Somebody who sees that
// something is missing is about to correct it.
const (
	fitsFor  = 10 * time.Second
	lacksFor = 2 * time.Second
	fitsTime = 30 * time.Second
)

func newFits(source *schemas.Source, passes reach.Passes) *fits {
	return &fits{source: source, passes: passes, soon: make(chan struct{}, 1), known: map[types.UID]*fit{}}
}

// want sets the policies. Those that have changed are checked soon.
func (f *fits) want(all []*known) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.wanted = nil
	for _, k := range all {
		f.wanted = append(f.wanted, k.object)
		if f.at(k.object) == nil {
			select {
			case f.soon <- struct{}{}:
			default: // a request is pending already
			}
		}
	}
}

// at returns the result for the current form of a policy, or nil if there is none yet.
func (f *fits) at(object client.Object) *fit {
	if known := f.known[object.GetUID()]; known != nil && known.generation == object.GetGeneration() {
		return known
	}
	return nil
}

// verdict returns the condition of a policy, and false if the condition should stay as it is.
func (f *fits) verdict(object client.Object) (*verdict, bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if known := f.at(object); known != nil {
		return known.verdict, true
	}
	return nil, false
}

// missing returns what a policy names and does not exist, and false if that is not known yet.
func (f *fits) missing(object client.Object) (string, bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if known := f.at(object); known != nil {
		return known.missing, true
	}
	return "", false
}

// run checks policies until ctx ends.
func (f *fits) run(ctx context.Context) error {
	for {
		again := time.NewTimer(f.pause())
		select {
		case <-f.soon:
		case <-again.C:
		case <-ctx.Done():
			return nil
		}
		again.Stop()
		f.round(ctx, fitsTime)
	}
}

// pause returns how long to wait for the next round, if no policy changes.
func (f *fits) pause() time.Duration {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, known := range f.known {
		if known.missing != "" {
			return lacksFor
		}
	}
	return fitsFor
}

// round checks every policy that has changed, or whose schemas have changed, within a time
// limit.
func (f *fits) round(parent context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(parent, limit)
	defer cancel()
	f.lock.Lock()
	wanted, known := f.wanted, f.known
	f.lock.Unlock()
	if len(wanted) == 0 {
		return
	}
	now, err := f.source.Now(ctx)
	next := map[types.UID]*fit{}
	for _, object := range wanted {
		one := known[object.GetUID()]
		switch {
		case err != nil:
			one = untold(object, err)
		case one == nil || one.generation != object.GetGeneration() || !one.holds(ctx, now):
			// The rest is left for the next round.
			if made := check(ctx, object, now); ctx.Err() == nil {
				one = made
			}
		}
		if one == nil {
			continue
		}
		if before := known[object.GetUID()]; one.used == nil && before != nil && before.generation == one.generation {
			one.missing = before.missing
		}
		next[object.GetUID()] = one
	}
	if parent.Err() != nil {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.known = next
	if !maps.EqualFunc(known, next, func(a, b *fit) bool {
		return a.generation == b.generation && a.missing == b.missing && sameVerdict(a.verdict, b.verdict)
	}) {
		f.passes.Ask()
	}
}

func sameVerdict(a, b *verdict) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// holds reports whether a new check would have the same result.
func (f *fit) holds(ctx context.Context, now *schemas.Published) bool {
	if f.used == nil {
		return false
	}
	same, err := now.Same(ctx, *f.used)
	return same && err == nil
}

// check checks a policy. A policy that does not compile needs no further condition.
func check(ctx context.Context, object client.Object, now *schemas.Published) *fit {
	made, problems := compileObject(object)
	if len(problems) > 0 {
		return &fit{generation: object.GetGeneration(), used: new(schemas.Used)}
	}
	types, used, err := now.Check(ctx, made)
	if err != nil {
		return untold(object, err)
	}
	v := yes("Fits", "every expression fits the schema of "+types.Names())
	switch {
	case len(types.Kinds) == 0:
		v = verdict{unknown: true, reason: "UnknownKinds", message: "the rules name no group and resource with a known schema"}
	case len(types.Warnings) > 0:
		v = no("Misfits", types.Warnings.Error())
	}
	var missing []string
	for _, m := range types.Missing {
		missing = append(missing, m.String())
	}
	return &fit{generation: object.GetGeneration(), used: &used, verdict: &v, missing: strings.Join(missing, "\n")}
}

// untold reports that the schemas cannot be read. That is tried again.
func untold(object client.Object, err error) *fit {
	v := verdict{unknown: true, reason: "UnknownSchemas", message: fmt.Sprintf("the schemas of the cluster cannot be read: %v", err)}
	return &fit{generation: object.GetGeneration(), verdict: &v}
}

func compileObject(object client.Object) (*policy.Policy, policy.Problems) {
	if p, is := object.(*v1alpha1.ValidationPolicy); is {
		return policy.Compile(p)
	}
	return policy.CompileMutation(object.(*v1alpha1.MutationPolicy))
}
