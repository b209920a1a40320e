package audit

import (
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// task is what must be done for a resource.
type task struct {
	*resource
	passes []*pass
}

// pass is one reading of all objects of a resource.
type pass struct {
	// version is the version in which they are read.
	version string
	// policies are evaluated.
	policies []*policy.Policy
	// shows reports that the objects are converted to the other served versions.
	shows bool
}

// plan decides which resources are read, in which versions, for which policies.
func (a *auditor) plan(ctx context.Context) ([]*task, error) {
	all, err := a.discover(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding the resources of the cluster: %w", err)
	}
	for _, r := range all {
		if table := a.world.tables[r.String()]; table != nil {
			r.with(table)
		}
	}
	chosen, err := selected(all, a.Resources)
	if err != nil {
		return nil, err
	}
	for name, problem := range a.world.broken {
		if len(a.Resources) == 0 || slices.ContainsFunc(chosen, func(r *resource) bool { return r.String() == name }) {
			a.fail("crosswalk "+name, problem)
		}
	}
	audited := a.choose(all, chosen)
	var tasks []*task
	for _, r := range chosen {
		if t := r.task(audited); len(t.passes) > 0 && (a.Namespace == "" || r.namespaced) {
			tasks = append(tasks, t)
		} else if len(a.Resources) > 0 {
			a.omit(r.String(), "no policy that is audited matches it, and it has no Crosswalk")
		}
	}
	return tasks, nil
}

// choose returns the policies that can be audited, and notes why others cannot be. If resources
// are named, it notes nothing about policies for other resources.
func (a *auditor) choose(all, chosen []*resource) []compiled {
	var audited []compiled
	for _, p := range a.world.policies {
		matches := func(r *resource) bool { return r.versionFor(p.scope) != "" }
		switch {
		case !slices.ContainsFunc(all, matches):
			if len(a.Resources) == 0 {
				a.omit(p.Reference(), "it matches the creation of no resource that can be listed")
			}
		case !slices.ContainsFunc(chosen, matches):
		case p.problem != "":
			a.fail(p.Reference(), "it does not compile: "+p.problem)
		case p.ReadsWriter() && a.Writer == nil:
			a.omit(p.Reference(), "its result depends on who writes the object: name a writer with --as")
		default:
			audited = append(audited, p)
		}
	}
	return audited
}

// task returns what must be done for a resource.
func (r *resource) task(policies []compiled) *task {
	t := &task{resource: r}
	if r.table != nil && len(r.versions) > 1 {
		t.pass(r.versions[0]).shows = true
	}
	for _, p := range policies {
		if version := r.versionFor(p.scope); version != "" {
			in := t.pass(version)
			in.policies = append(in.policies, p.Policy)
		}
	}
	return t
}

// pass returns the pass in a version.
func (t *task) pass(version string) *pass {
	for _, p := range t.passes {
		if p.version == version {
			return p
		}
	}
	p := &pass{version: version}
	t.passes = append(t.passes, p)
	return p
}

// policies returns all policies of a task.
func (t *task) policies() []*policy.Policy {
	var all []*policy.Policy
	for _, p := range t.passes {
		all = append(all, p.policies...)
	}
	return all
}

// drop removes a policy.
func (t *task) drop(p *policy.Policy) {
	for _, in := range t.passes {
		in.policies = slices.DeleteFunc(in.policies, func(other *policy.Policy) bool { return other == p })
	}
	t.passes = slices.DeleteFunc(t.passes, func(in *pass) bool { return len(in.policies) == 0 && !in.shows })
}

// versionFor returns the version in which the API server would show the creation of an object
// to a policy, or "" if the policy is not about it. A policy for the hub version, and one that
// also matches equivalent versions of a kind with a table, converts by itself.
func (r *resource) versionFor(scope *v1alpha1.PolicyScope) string {
	m := scope.MatchConstraints
	if m == nil || !r.creatable {
		return ""
	}
	converts := r.table != nil && (m.MatchPolicy == nil || *m.MatchPolicy == admissionregistrationv1.Equivalent)
	for _, version := range r.versions {
		for i := range m.ResourceRules {
			rule := &m.ResourceRules[i].RuleWithOperations
			if !r.matches(rule) {
				continue
			}
			switch {
			case scope.Hub, converts && anyOf(rule.APIVersions, version):
				return r.versions[0]
			case anyOf(rule.APIVersions, version):
				return version
			}
		}
	}
	return ""
}

// matches reports whether a rule matches the creation of objects of a resource, in some version.
// Everything else that a policy selects by, it examines itself.
func (r *resource) matches(rule *admissionregistrationv1.RuleWithOperations) bool {
	creates := slices.Contains(rule.Operations, admissionregistrationv1.Create) || slices.Contains(rule.Operations, admissionregistrationv1.OperationAll)
	return creates && anyOf(rule.APIGroups, r.group) && (anyOf(rule.Resources, r.plural) || slices.Contains(rule.Resources, "*/*"))
}

func anyOf(patterns []string, name string) bool {
	return slices.Contains(patterns, "*") || slices.Contains(patterns, name)
}
