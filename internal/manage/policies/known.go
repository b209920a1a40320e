package policies

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// known is what there is to know about one policy.
type known struct {
	side int // mutating or validating
	kind string
	// object is as it was read. It is shared, and must not be changed.
	object  client.Object
	status  v1alpha1.PolicyStatus
	actions string // as its status is to name them
	*compiled
	// obstacle is what keeps the API server from asking as the policy is now.
	obstacle *reach.Obstacle
}

// The sides of a pair of configurations.
const (
	mutating = iota
	validating
)

// compiled is what is kept of a policy from one pass to the next.
type compiled struct {
	generation  int64
	fingerprint string
	// problem is why it does not compile; empty where it does.
	problem string
	policy  Policy
	// confirmed says that everybody has answered for this fingerprint.
	confirmed bool
	refused   refused
	rights    rights
	// withheld are the fields by which a caller that is not known is told nothing.
	withheld []string
}

func (k *known) String() string { return k.kind + " " + k.object.GetName() }

// read takes all policies as the cache has them.
func (r *reconciler) read(ctx context.Context) ([]*known, error) {
	validations, mutations := new(v1alpha1.ValidationPolicyList), new(v1alpha1.MutationPolicyList)
	for _, list := range []client.ObjectList{validations, mutations} {
		if err := r.cached.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
			return nil, err
		}
	}
	var all []*known
	for i := range validations.Items {
		p := &validations.Items[i]
		k := &known{side: validating, kind: v1alpha1.KindValidationPolicy, object: p, status: p.Status, actions: actions(p)}
		k.compiled = r.compile(p, Policy{Kind: k.kind, Name: p.Name, PolicyScope: p.Spec.PolicyScope})
		all = append(all, k)
	}
	for i := range mutations.Items {
		p := &mutations.Items[i]
		k := &known{side: mutating, kind: v1alpha1.KindMutationPolicy, object: p, status: p.Status}
		k.compiled = r.compile(p, Policy{Kind: k.kind, Name: p.Name, PolicyScope: p.Spec.PolicyScope, Reinvocation: Reinvocation(p.Spec.ReinvocationPolicy)})
		all = append(all, k)
	}
	r.forget(all)
	return all, nil
}

// actions names what becomes of a rule of p that does not hold.
func actions(p *v1alpha1.ValidationPolicy) string {
	var names []string
	for _, action := range p.Spec.ValidationActions {
		names = append(names, string(action))
	}
	return strings.Join(names, ",")
}

// Reinvocation is what a policy says, and Never where it does not.
func Reinvocation(said admissionregistrationv1.ReinvocationPolicyType) admissionregistrationv1.ReinvocationPolicyType {
	if said == "" {
		return admissionregistrationv1.NeverReinvocationPolicy
	}
	return said
}

// compile compiles what has changed. One that is deleted and created again is another.
func (r *reconciler) compile(object client.Object, p Policy) *compiled {
	if c := r.compiled[object.GetUID()]; c != nil && c.generation == object.GetGeneration() {
		return c
	}
	made, problems := compileObject(object)
	c := &compiled{generation: object.GetGeneration(), fingerprint: made.Fingerprint(), policy: p}
	c.policy.Push, c.policy.ReadsObjects, c.withheld = made.Pushable(), made.ReadsObjects(), made.Withheld()
	c.rights.needed = len(made.Scaled()) > 0
	if err := problems.Err(); err != nil {
		c.problem = err.Error()
	}
	r.compiled[object.GetUID()] = c
	r.keeper.Hurry()
	return c
}

// forget drops what is known of policies that are gone.
func (r *reconciler) forget(all []*known) {
	there := map[types.UID]bool{}
	for _, k := range all {
		there[k.object.GetUID()] = true
	}
	for uid := range r.compiled {
		if !there[uid] {
			delete(r.compiled, uid)
		}
	}
}

// unfit is what is wrong with a policy itself, so that nobody need be asked.
func (r *reconciler) unfit(ctx context.Context, k *known) (*reach.Obstacle, error) {
	switch {
	case k.problem != "":
		return &reach.Obstacle{Reason: "InvalidPolicy", Message: "it does not compile: see the condition Compiled"}, nil
	case k.refused.lasts(r.Now()):
		return &reach.Obstacle{Reason: "Refused", Message: k.refused.message}, nil
	case k.policy.Hub:
		return r.withoutCrosswalk(ctx, k.policy)
	}
	return nil, nil
}

// withoutCrosswalk is what keeps a policy for the hub version from having one.
func (r *reconciler) withoutCrosswalk(ctx context.Context, p Policy) (*reach.Obstacle, error) {
	crds, err := CRDsOf(p)
	if err != nil {
		return &reach.Obstacle{Reason: "NoCrosswalk", Message: err.Error()}, nil
	}
	for _, crd := range crds {
		err := r.cached.Get(ctx, client.ObjectKey{Name: crd}, cluster.CrosswalkHead())
		if client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err != nil {
			return &reach.Obstacle{Reason: "NoCrosswalk", Message: fmt.Sprintf(
				"it is written for the hub version, and there is no Crosswalk %s: apply it, or take spec.hub out of the policy", crd)}, nil
		}
	}
	return nil, nil
}

// CRDsOf are the names of the CRDs whose objects a policy for the hub version is
// about.
func CRDsOf(p Policy) ([]string, error) {
	var names []string
	for _, rule := range p.MatchConstraints.ResourceRules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				resource, _, _ = strings.Cut(resource, "/")
				if group == "*" || resource == "*" {
					return nil, errors.New("it is written for the hub version, and * has none: name the groups and resources in spec.matchConstraints.resourceRules")
				}
				names = append(names, resource+"."+group)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names))), nil
}
