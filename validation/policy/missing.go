package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// Missing is a name in a policy that means nothing in the cluster.
type Missing struct {
	Problem
	// Resources are the resources, or subresources such as deployments/scale, that the name is
	// about, and Versions are those that the rule names. They are empty for a kind that the
	// policy reads.
	Resources []schema.GroupResource
	Versions  []string
}

// missing returns each group and resource in the rules, and each kind of params and lookups,
// that does not exist. A rule matches all combinations of its groups, versions and resources. A
// resource exists if any of them exists.
func (p *Policy) missing(ctx context.Context, schemas Schemas) ([]Missing, error) {
	m := misser{ctx: ctx, schemas: schemas, left: mostNames}
	for i, rule := range p.constraints.rules {
		m.rule(fmt.Sprintf("spec.matchConstraints.resourceRules[%d]", i), rule.APIGroups, rule.APIVersions, rule.Resources, p.hub)
	}
	if p.paramKind != nil {
		m.kind("spec.paramKind", *p.paramKind)
	}
	for _, l := range p.lookups {
		m.kind(l.field, l.kind)
	}
	return m.found, m.err
}

// misser collects what is missing, until an error.
type misser struct {
	ctx     context.Context
	schemas Schemas
	left    int // how many names may still be looked up
	found   []Missing
	err     error
}

func (m *misser) add(of Missing, field, format string, args ...any) {
	of.Problem = Problem{field, fmt.Sprintf(format, args...)}
	m.found = append(m.found, of)
}

func (m *misser) fail(err error) { m.err = cmp.Or(m.err, err) }

// rule looks for the groups and resources of a rule. * is not looked for. If a group is missing,
// its resources are not reported as well.
func (m *misser) rule(field string, groups, versions, resources []string, hub bool) {
	about := func(groups, resources []string) Missing {
		of := Missing{Resources: combine(groups, resources), Versions: versions}
		if hub {
			of.Versions = m.hubs(of.Resources)
		}
		return of
	}
	before := len(m.found)
	for i, group := range groups {
		if of := about([]string{group}, resources); group != "*" && !m.exists(of) {
			m.group(of, fmt.Sprintf("%s.apiGroups[%d]", field, i), group)
		}
	}
	if slices.Contains(groups, "*") || len(m.found) > before {
		return
	}
	for i, resource := range resources {
		resource = strings.TrimSuffix(resource, "/*")
		if of := about(groups, []string{resource}); !strings.Contains(resource, "*") && !m.exists(of) {
			m.resource(of, field, i)
		}
	}
}

func combine(groups, resources []string) []schema.GroupResource {
	var all []schema.GroupResource
	for _, group := range groups {
		for _, resource := range resources {
			all = append(all, schema.GroupResource{Group: group, Resource: resource})
		}
	}
	return all
}

// hubs returns the hub versions of some resources.
func (m *misser) hubs(resources []schema.GroupResource) []string {
	var versions []string
	for _, of := range resources {
		of.Resource, _, _ = strings.Cut(of.Resource, "/")
		hub, err := m.schemas.Hub(m.ctx, of)
		m.fail(err)
		if hub != "" {
			versions = append(versions, hub)
		}
	}
	return versions
}

// exists reports whether one of some resources exists. It also reports true if that is not
// known, or if there are no versions.
func (m *misser) exists(of Missing) bool {
	for _, resource := range of.Resources {
		for _, version := range of.Versions {
			if m.left--; m.err != nil || m.left < 0 {
				return true
			}
			kinds, err := kindsOf(m.ctx, m.schemas, resource.WithVersion(version))
			m.fail(err)
			if len(kinds) > 0 {
				return true
			}
		}
	}
	return m.err != nil || len(of.Versions) == 0
}

// group reports whether a group exists, and adds it if it does not.
func (m *misser) group(of Missing, field, group string) bool {
	if m.left--; m.err != nil || m.left < 0 {
		return true
	}
	versions, err := m.schemas.Versions(m.ctx, group)
	if m.fail(err); len(versions) > 0 || m.err != nil {
		return true
	}
	groups, err := m.schemas.Groups(m.ctx)
	m.fail(err)
	m.add(of, field, "there is no API group %s%s", group, meant(nearGroup(group, groups)))
	return false
}

// nearGroup returns the group that was probably meant, or "".
func nearGroup(group string, groups []string) string {
	if group == "v1" || group == "core" {
		return `""`
	}
	return edits.Nearest(group, groups)
}

// resource adds resources of existing groups that do not exist in the versions of the rule.
func (m *misser) resource(of Missing, field string, index int) {
	var has []string // the versions of groups that have one of them
	var groups []string
	var known []Resource
	name, sub, _ := strings.Cut(of.Resources[0].Resource, "/")
	for _, one := range of.Resources {
		groups = append(groups, cmp.Or(one.Group, `""`))
		versions, err := m.schemas.Versions(m.ctx, one.Group)
		m.fail(err)
		for _, version := range versions {
			of := schema.GroupVersion{Group: one.Group, Version: version}
			all, err := m.schemas.Resources(m.ctx, of)
			m.fail(err)
			if slices.ContainsFunc(all, func(r Resource) bool { return r.Name == one.Resource }) {
				has = append(has, of.String())
			}
			known = append(known, all...)
		}
	}
	place := fmt.Sprintf("%s.resources[%d]", field, index)
	switch {
	case m.err != nil:
	case len(has) > 0:
		slices.Sort(has)
		m.add(of, field+".apiVersions", "%s exists only in %s: name one of these versions", of.Resources[0].Resource, strings.Join(has, ", "))
	case slices.ContainsFunc(known, func(r Resource) bool { return r.Name == name }):
		m.add(of, place, "%s has no subresource %s", name, sub)
	default:
		m.add(of, place, "there is no resource %s in %s%s", name, strings.Join(groups, ", "), meant(nearResource(name, known)))
	}
}

// nearResource returns the resource that was probably meant by a name, or "". A name may be that
// of the kind.
func nearResource(name string, known []Resource) string {
	var names []string
	for _, r := range known {
		if strings.Contains(r.Name, "/") {
			continue
		}
		if strings.EqualFold(name, r.Kind.Kind) {
			return r.Name
		}
		names = append(names, r.Name)
	}
	return edits.Nearest(name, names)
}

// kind looks for a kind that the policy reads. Objects that are sent to subresources cannot be
// read.
func (m *misser) kind(field string, kind schema.GroupVersionKind) {
	all, err := m.schemas.Resources(m.ctx, kind.GroupVersion())
	m.fail(err)
	var names []string
	for _, r := range all {
		if !strings.Contains(r.Name, "/") {
			names = append(names, r.Kind.Kind)
		}
	}
	if m.err != nil || slices.Contains(names, kind.Kind) || !m.group(Missing{}, field+".apiVersion", kind.Group) {
		return
	}
	m.add(Missing{}, field+".kind", "there is no kind %s in %s, so reading it fails%s", kind.Kind, kind.GroupVersion(), meant(edits.Nearest(kind.Kind, names)))
}

func meant(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}
