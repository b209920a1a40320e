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

// Options say whom a [Follower] tells.
type Options struct {
	// Lookups reads what policies declare.
	Lookups Lookups
	// Publish makes these policies, of both phases, the ones that are in force.
	Publish func(inForce []*policy.Policy) error
	// Logger gets policies as they come and go.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Lookups reads what policies declare.
type Lookups interface {
	// Keep reads what these policies declare, and nothing else.
	Keep(policies ...*policy.Policy)
	// Settled reports whether waiting would change what a policy sees.
	Settled(*policy.Policy) bool
}

// Follower keeps the policies that are in force in step with the cluster. The last
// good form of a policy stays when a change of it does not compile, and until what
// its new form looks up has been read.
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

// followed is what is known of one policy.
type followed struct {
	// wanted is the last form that compiled or, where none ever has, the one that
	// fails whenever it is evaluated.
	wanted *policy.Policy
	// since is when it came.
	since time.Time
	// inForce is what requests are judged by; nil before anything is.
	inForce *policy.Policy
	// problem is what is wrong with the present form.
	problem string
}

// patience is how long a change waits for what the policy looks up. Then it comes
// into force all the same, and requests that need it are told to come again.
const patience = 30 * time.Second

// reconcileValidation takes one ValidationPolicy as it is now.
func (f *Follower) reconcileValidation(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := new(v1alpha1.ValidationPolicy)
	return f.reconcile(ctx, request, v1alpha1.KindValidationPolicy, object, func() (*policy.Policy, policy.Problems) { return policy.Compile(object) })
}

// reconcileMutation takes one MutationPolicy as it is now.
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
		f.Logger.Info("a policy is gone", "kind", kind, "policy", request.Name)
		delete(f.policies, id)
		return reconcile.Result{}, f.publish()
	}
	compiled, problems := compile() // may take a while, so not under the lock: one request of a name runs at a time
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.policies[id] == nil {
		f.policies[id] = new(followed)
	}
	f.policies[id].take(compiled, problems.Err(), f.Now(), f.Logger.With("kind", kind, "policy", request.Name))
	return reconcile.Result{}, f.publish()
}

func (known *followed) take(compiled *policy.Policy, problem error, now time.Time, log *slog.Logger) {
	said := ""
	if problem != nil {
		said = problem.Error()
	}
	switch {
	case said == "" && (known.wanted == nil || known.problem != "" || known.wanted.Fingerprint() != compiled.Fingerprint()):
		log.Info("loaded a policy", "fingerprint", compiled.Fingerprint())
		known.wanted, known.since = compiled, now
	case said != "" && known.wanted == nil:
		log.Error("a policy does not compile; requests follow its failurePolicy", "problem", said)
		known.wanted, known.since = compiled, now
	case said != "" && said != known.problem:
		log.Error("a policy does not compile; the last good form stays", "problem", said)
	}
	known.problem = said
}

// publish tells which policies are in force, once all have been read. What a policy
// looks up is read before it comes into force, and no longer than it is.
func (f *Follower) publish() error {
	if !f.synced {
		return nil
	}
	var needed, inForce []*policy.Policy
	for _, known := range f.policies {
		needed = append(needed, known.wanted)
		if known.inForce != nil {
			needed = append(needed, known.inForce)
		}
	}
	f.Lookups.Keep(needed...)
	for _, known := range f.policies {
		if known.wanted != known.inForce && (f.Lookups.Settled(known.wanted) || f.Now().Sub(known.since) > patience) {
			known.inForce = known.wanted
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

// pending reports whether a change waits for what its policy looks up.
func (f *Follower) pending() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(f.policies)), func(known *followed) bool { return known.wanted != known.inForce })
}
