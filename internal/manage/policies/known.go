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

// known is the state of one policy.
type known struct {
	side int // mutating or validating
	kind string
	// object is the policy as it was read. It is shared, and must not be changed.
	object  client.Object
	status  v1alpha1.PolicyStatus
	actions string // as its status should list them
	*compiled
	// obstacle is the reason why the policy is not registered in its current form.
	obstacle *reach.Obstacle
}

// The two configurations.
const (
	mutating = iota
	validating
)

// compiled is kept of a policy from one pass to the next.
type compiled struct {
	generation  int64
	fingerprint string
	// problem is why it does not compile, or "".
	problem string
	policy  Policy
	// confirmed reports that every replica has answered for this fingerprint.
	confirmed bool
	refused   refused
	rights    rights
	// withheld lists the fields that an unidentified caller does not receive.
	withheld []string
}

func (k *known) String() string { return k.kind + " " + k.object.GetName() }

// read reads all policies from the cache.
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

// actions lists what happens if a rule of p does not hold.
func actions(p *v1alpha1.ValidationPolicy) string {
	var names []string
	for _, action := range p.Spec.ValidationActions {
		names = append(names, string(action))
	}
	return strings.Join(names, ",")
}

// Reinvocation returns the reinvocationPolicy of a policy, which is Never by default.
func Reinvocation(p admissionregistrationv1.ReinvocationPolicyType) admissionregistrationv1.ReinvocationPolicyType {
	if p == "" {
		return admissionregistrationv1.NeverReinvocationPolicy
	}
	return p
}

// compile compiles what has changed. A policy that is deleted and created again is another one.
func (r *reconciler) compile(object client.Object, p Policy) *compiled {
	if c := r.compiled[object.GetUID()]; c != nil && c.generation == object.GetGeneration() {
		return c
	}
	made, problems := compileObject(object)
	c := &compiled{generation: object.GetGeneration(), fingerprint: made.Fingerprint(), policy: p}
	c.policy.Push, c.policy.ReadsObjects, c.withheld = made.Pushable(), made.ReadsObjects(), made.Withheld()
	c.rights.needed = made.NeedsRights()
	if err := problems.Err(); err != nil {
		c.problem = err.Error()
	}
	r.compiled[object.GetUID()] = c
	r.keeper.Hurry()
	return c
}

// forget drops the state of deleted policies.
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

// unfit returns what is wrong with a policy itself, for which no replica need be asked.
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

// withoutCrosswalk returns an obstacle for a policy for the hub version that has no Crosswalk.
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
				"it is written for the hub version, and there is no Crosswalk %s: apply it, or remove spec.hub from the policy", crd)}, nil
		}
	}
	return nil, nil
}

// ForHub returns the policies that are written for the hub version of a CRD, as "KIND NAME".
func ForHub(ctx context.Context, reader client.Reader, crd string) ([]string, error) {
	var names []string
	add := func(kind, name string, scope v1alpha1.PolicyScope) {
		if crds, err := CRDsOf(Policy{PolicyScope: scope}); err == nil && scope.Hub && slices.Contains(crds, crd) {
			names = append(names, strings.ToLower(kind)+" "+name)
		}
	}
	validations, mutations := new(v1alpha1.ValidationPolicyList), new(v1alpha1.MutationPolicyList)
	if err := errors.Join(reader.List(ctx, validations), reader.List(ctx, mutations)); err != nil {
		return nil, err
	}
	for _, p := range validations.Items {
		add(v1alpha1.KindValidationPolicy, p.Name, p.Spec.PolicyScope)
	}
	for _, p := range mutations.Items {
		add(v1alpha1.KindMutationPolicy, p.Name, p.Spec.PolicyScope)
	}
	return names, nil
}

// CRDsOf returns the names of the CRDs that a policy for the hub version matches.
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
