package policies

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Options configure a [Follower].
type Options struct {
	// Lookups reads what policies declare.
	Lookups Lookups
	// Publish puts these policies, of both phases, into force.
	Publish func(inForce []*policy.Policy) error
	// Logger receives the policies that are loaded and removed.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Lookups reads what policies declare.
type Lookups interface {
	// Keep reads what these policies declare, and nothing else.
	Keep(policies ...*policy.Policy)
	// Settled reports whether waiting is of no use, because the policy would see the same.
	Settled(*policy.Policy) bool
}

// Follower keeps the policies in force up to date with the cluster. If a change of a policy
// does not compile, its last good form stays. It also stays until the objects that the new form
// looks up have been read.
type Follower struct {
	Options
	cached client.Reader

	mu       sync.Mutex
	started  time.Time
	synced   bool
	policies map[key]*followed
}

// key names a policy.
type key struct{ kind, name string }

// followed is the state of one policy.
type followed struct {
	// latest is the last form that compiled. If none has, it is a form that always fails.
	latest *policy.Policy
	// since is when latest was received.
	since time.Time
	// inForce is the form that evaluates requests. It is nil at first.
	inForce *policy.Policy
	// problem is what is wrong with the current form.
	problem string
}

// patience is how long a change waits for the objects that the policy looks up. After that it
// comes into force in any case, and requests that need the objects are asked to try again.
const patience = 30 * time.Second

// reconcileValidation reads the current state of one ValidationPolicy.
func (f *Follower) reconcileValidation(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := new(v1alpha1.ValidationPolicy)
	return f.reconcile(ctx, request, v1alpha1.KindValidationPolicy, object, func() (*policy.Policy, policy.Problems) { return policy.Compile(object) })
}

// reconcileMutation reads the current state of one MutationPolicy.
func (f *Follower) reconcileMutation(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := new(v1alpha1.MutationPolicy)
	return f.reconcile(ctx, request, v1alpha1.KindMutationPolicy, object, func() (*policy.Policy, policy.Problems) { return policy.CompileMutation(object) })
}

func (f *Follower) reconcile(ctx context.Context, request reconcile.Request, kind string, object client.Object, compile func() (*policy.Policy, policy.Problems)) (reconcile.Result, error) {
	err := f.cached.Get(ctx, request.NamespacedName, object)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	id := key{kind, request.Name}
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.policies[id] == nil {
			return reconcile.Result{}, nil
		}
		f.Logger.Info("a policy was removed", "kind", kind, "policy", request.Name)
		delete(f.policies, id)
		return reconcile.Result{}, f.publish()
	}
	compiled, problems := compile() // it may take a while, so without the lock: one request of a name runs at a time
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.policies[id] == nil {
		f.policies[id] = new(followed)
	}
	f.policies[id].take(compiled, problems.Err(), f.Now(), f.Logger.With("kind", kind, "policy", request.Name))
	return reconcile.Result{}, f.publish()
}

func (known *followed) take(compiled *policy.Policy, err error, now time.Time, log *slog.Logger) {
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	switch {
	case problem == "" && (known.latest == nil || known.problem != "" || known.latest.Fingerprint() != compiled.Fingerprint()):
		log.Info("loaded a policy", "fingerprint", compiled.Fingerprint())
		known.latest, known.since = compiled, now
	case problem != "" && known.latest == nil:
		log.Error("a policy does not compile; requests follow its failurePolicy", "problem", problem)
		known.latest, known.since = compiled, now
	case problem != "" && problem != known.problem:
		log.Error("a policy does not compile; the last good form stays", "problem", problem)
	}
	known.problem = problem
}

// publish puts the policies into force, once all have been read. The objects that a policy
// looks up are watched before it comes into force, and until it is removed.
func (f *Follower) publish() error {
	if !f.synced {
		return nil
	}
	var needed, inForce []*policy.Policy
	for _, known := range f.policies {
		needed = append(needed, known.latest)
		if known.inForce != nil {
			needed = append(needed, known.inForce)
		}
	}
	f.Lookups.Keep(needed...)
	for _, known := range f.policies {
		if known.latest != known.inForce && (f.Lookups.Settled(known.latest) || f.Now().Sub(known.since) > patience) {
			known.inForce = known.latest
		}
		if known.inForce != nil {
			inForce = append(inForce, known.inForce)
		}
	}
	slices.SortFunc(inForce, func(a, b *policy.Policy) int {
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Kind(), b.Kind()))
	})
	return f.Publish(inForce)
}

// pending reports whether a change waits for objects that its policy looks up.
func (f *Follower) pending() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(f.policies)), func(known *followed) bool { return known.latest != known.inForce })
}
