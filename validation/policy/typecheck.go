package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Schemas knows of which kinds objects are, and what their schemas say.
type Schemas interface {
	// Kinds gives the kinds of what is sent to a resource, or to a subresource as
	// deployments/scale, in a version or, of *, in all. What is not known has none.
	Kinds(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error)
	// Hub gives the version that a conversion table ties all others of a resource to;
	// empty where there is no table.
	Hub(ctx context.Context, resource schema.GroupResource) (string, error)
	// Schema gives the name of the schema of a kind, and all schemas that it refers to
	// by name, as in #/components/schemas/NAME. A name that is empty is that of a kind
	// of which nothing is known.
	Schema(ctx context.Context, kind schema.GroupVersionKind) (name string, all map[string]*spec.Schema, err error)
}

// TypeCheck is how the expressions of a policy fit the schemas of objects.
type TypeCheck struct {
	// Kinds are those whose schemas are known, of the objects that the policy is about.
	Kinds []schema.GroupVersionKind
	// Warnings are what does not fit. That is no reason not to take a policy: it may be
	// never evaluated for such an object, or the schema may change.
	Warnings Problems
}

// Names names the kinds.
func (c *TypeCheck) Names() string { return kindNames(c.Kinds) }

// mostKinds is how many kinds a policy is checked with, as by the API server
// (k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go), and mostNames
// how many names of resources are looked up for that: rules multiply them.
const (
	mostKinds = 10
	mostNames = 1000
)

// CheckTypes compiles the expressions of the policy once more for every kind that its
// rules name, with what schemas say of the object, of params and of lookups. Rules with
// * for the group or the resource name no kind. It ends with ctx.
func (p *Policy) CheckTypes(ctx context.Context, schemas Schemas) (*TypeCheck, error) {
	kinds, err := p.kinds(ctx, schemas)
	if err != nil {
		return nil, err
	}
	check := new(TypeCheck)
	var all []misfit
	known := map[string]int{}
	for _, kind := range kinds {
		misfits, found, err := p.checkTypes(ctx, schemas, kind)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		check.Kinds = append(check.Kinds, kind)
		for _, m := range misfits {
			same := m.field + ": " + m.message
			i, twice := known[same]
			if !twice {
				i, all = len(all), append(all, m)
				known[same] = i
			}
			all[i].kinds = append(all[i].kinds, kind)
		}
	}
	slices.SortStableFunc(all, func(a, b misfit) int { return cmp.Compare(a.at, b.at) })
	for _, m := range all {
		check.Warnings.add(m.field, "%s, for %s; put it in dyn() where it is meant so", m.message, kindNames(m.kinds))
	}
	return check, nil
}

// misfit is a mistake in an expression, by the schemas of kinds.
type misfit struct {
	// at is the number of the expression.
	at             int
	field, message string
	kinds          []schema.GroupVersionKind
}

// kindNames names kinds, as Deployment apps/v1, StatefulSet apps/v1.
func kindNames(kinds []schema.GroupVersionKind) string {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Kind+" "+kind.GroupVersion().String())
	}
	return strings.Join(names, ", ")
}

// kinds are the first that the rules name, in order.
func (p *Policy) kinds(ctx context.Context, schemas Schemas) ([]schema.GroupVersionKind, error) {
	named := map[schema.GroupVersionKind]bool{}
	for resource := range p.resources() {
		if p.hub {
			hub, err := schemas.Hub(ctx, schema.GroupResource{Group: resource.Group, Resource: resource.Resource})
			if err != nil {
				return nil, err
			}
			resource.Version = hub
		}
		kinds, err := schemas.Kinds(ctx, resource)
		if err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			if len(named) < mostKinds {
				named[kind] = true
			}
		}
		if len(named) == mostKinds {
			break
		}
	}
	return slices.SortedFunc(maps.Keys(named), func(a, b schema.GroupVersionKind) int {
		return strings.Compare(a.String(), b.String())
	}), nil
}

// resources are those that the rules name. A status is an object of the resource.
func (p *Policy) resources() iter.Seq[schema.GroupVersionResource] {
	return func(yield func(schema.GroupVersionResource) bool) {
		left := mostNames
		for _, rule := range p.constraints.rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					if group == "*" || strings.Contains(resource, "*") {
						continue
					}
					resource = strings.TrimSuffix(resource, "/status")
					for _, version := range rule.APIVersions {
						if left--; left < 0 || !yield(schema.GroupVersionResource{Group: group, Version: version, Resource: resource}) {
							return
						}
					}
				}
			}
		}
	}
}

// typeChecker checks the expressions of a policy for one kind of objects.
type typeChecker struct {
	compiler *compiler
	// checked is how many expressions have been.
	checked int
	found   []misfit
}

// checkTypes gives what does not fit where objects are of a kind, and false where
// nothing is known of it.
func (p *Policy) checkTypes(ctx context.Context, schemas Schemas, kind schema.GroupVersionKind) ([]misfit, bool, error) {
	c := &typeChecker{compiler: newCompiler(p.paramKind != nil, len(p.lookups) > 0, nil)}
	types := &c.compiler.schemas
	var err error
	if types.object, err = types.of(ctx, schemas, kind); types.object == nil || err != nil {
		return nil, false, err
	}
	if p.paramKind != nil {
		if types.params, err = types.of(ctx, schemas, *p.paramKind); err != nil {
			return nil, false, err
		}
	}
	looked := make([]*apiservercel.DeclType, len(p.lookups))
	for i, l := range p.lookups {
		if looked[i], err = types.of(ctx, schemas, l.kind); err != nil {
			return nil, false, err
		}
	}
	err = errors.Join(c.checkLookups(ctx, p, looked), c.checkVariables(ctx, p), c.checkRest(ctx, p))
	return c.found, true, err
}

func (c *typeChecker) checkLookups(ctx context.Context, p *Policy, looked []*apiservercel.DeclType) error {
	for i, l := range p.lookups {
		for _, x := range l.expressions() {
			if _, err := c.check(ctx, x); err != nil {
				return err
			}
		}
		output := celType(looked[i])
		if l.byName == nil {
			output = cel.ListType(output)
		}
		c.compiler.lookup(l.name, output)
	}
	return nil
}

func (c *typeChecker) checkVariables(ctx context.Context, p *Policy) error {
	for _, v := range p.variables {
		output, err := c.check(ctx, &v.expression)
		if err != nil {
			return err
		}
		c.compiler.declare(v.name, output)
	}
	return nil
}

func (c *typeChecker) checkRest(ctx context.Context, p *Policy) error {
	for _, x := range p.unnamed() {
		if _, err := c.check(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// check gives the type of an expression, nil where it does not fit.
func (c *typeChecker) check(ctx context.Context, x *expression) (*cel.Type, error) {
	c.checked++
	if err := ctx.Err(); x.broken != nil || err != nil {
		return nil, err
	}
	env, err := c.compiler.environments(x.kind)
	if err != nil {
		return nil, unmade(err)
	}
	checked, issues := env.counting.Compile(x.text)
	if issues.Err() == nil {
		return checked.OutputType(), nil
	}
	for _, issue := range issues.Errors() {
		if !c.compiler.schemas.mentioned(issue.Message) {
			c.found = append(c.found, misfit{at: c.checked, field: x.field, message: fmt.Sprintf("%s at %d:%d", issue.Message, issue.Location.Line(), issue.Location.Column()+1)})
		}
	}
	return nil, nil
}
