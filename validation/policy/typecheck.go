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
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Schemas returns the resources of a cluster, and the schemas of their objects.
type Schemas interface {
	// Groups returns the names of all API groups.
	Groups(ctx context.Context) ([]string, error)
	// Versions returns the versions of an API group. An unknown group has none.
	Versions(ctx context.Context, group string) ([]string, error)
	// Resources returns the resources and subresources of a version of a group. An unknown
	// version has none.
	Resources(ctx context.Context, version schema.GroupVersion) ([]Resource, error)
	// Hub returns the hub version of a resource's conversion table, or "" if there is no table.
	Hub(ctx context.Context, resource schema.GroupResource) (string, error)
	// Schema returns the name of the schema of a kind, and all schemas that it refers to by
	// name, as in #/components/schemas/NAME. The name is empty for an unknown kind.
	Schema(ctx context.Context, kind schema.GroupVersionKind) (name string, all map[string]*spec.Schema, err error)
}

// Resource is a resource, or a subresource such as deployments/scale.
type Resource struct {
	Name string
	// Kind is the kind of the objects that are sent to it.
	Kind schema.GroupVersionKind
}

// TypeCheck is how well a policy fits the resources of a cluster, and the schemas of objects.
type TypeCheck struct {
	// Kinds are the kinds with known schemas that the policy matches.
	Kinds []schema.GroupVersionKind
	// Warnings are what does not fit. They are no reason to reject a policy: the expression may
	// never be evaluated for such an object, or the schema may change.
	Warnings Problems
	// Missing are the resources and kinds that the policy names and that do not exist. No
	// request matches such a resource, and reading such a kind fails.
	Missing []Missing
}

// Names lists the kinds.
func (c *TypeCheck) Names() string { return kindNames(c.Kinds) }

// mostKinds is how many kinds a policy is checked with, as in the API server
// (k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go). mostNames is how
// many names of resources are looked up for that, because rules multiply them.
const (
	mostKinds = 10
	mostNames = 1000
)

// CheckTypes looks for every resource and kind that the policy names. It compiles the
// expressions of the policy again for every kind that the rules name, with the types of the
// object, of params and of lookups in their schemas. Rules with * for the group or the resource
// name no kind. It ends with ctx.
func (p *Policy) CheckTypes(ctx context.Context, schemas Schemas) (*TypeCheck, error) {
	missing, err := p.missing(ctx, schemas)
	if err != nil {
		return nil, err
	}
	kinds, err := p.kinds(ctx, schemas)
	if err != nil {
		return nil, err
	}
	check := &TypeCheck{Missing: missing}
	var all []misfit
	known, there := map[string]int{}, map[string]bool{}
	for _, kind := range kinds {
		c, err := p.checkTypes(ctx, schemas, kind)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		check.Kinds = append(check.Kinds, kind.GroupVersionKind)
		maps.Copy(there, c.there)
		for _, m := range c.found {
			i, twice := known[m.String()]
			if !twice {
				i, all = len(all), append(all, m)
				known[m.String()] = i
			}
			all[i].kinds = append(all[i].kinds, kind.GroupVersionKind)
		}
	}
	slices.SortStableFunc(all, func(a, b misfit) int { return cmp.Compare(a.at, b.at) })
	for _, m := range all {
		if !m.asked || !there[m.String()] {
			check.Warnings.add(m.field, "%s, for %s; if it is intended, put it in dyn()", m.message, kindNames(m.kinds))
		}
	}
	return check, nil
}

// misfit is a mistake in an expression, by the schemas of kinds.
type misfit struct {
	// at is the number of the expression.
	at             int
	field, message string
	// asked reports that the field is only asked for, which is no mistake if another kind has
	// it.
	asked bool
	kinds []schema.GroupVersionKind
}

func (m misfit) String() string { return m.field + ": " + m.message }

// kindNames lists kinds, as in Deployment apps/v1, StatefulSet apps/v1.
func kindNames(kinds []schema.GroupVersionKind) string {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Kind+" "+kind.GroupVersion().String())
	}
	return strings.Join(names, ", ")
}

// namedKind is a kind that rules name, with its resource, such as deployments or
// deployments/scale, if that is the only one by which they can match it.
type namedKind struct {
	schema.GroupVersionKind
	resource string
}

// kinds returns the first kinds that the rules name, in order.
func (p *Policy) kinds(ctx context.Context, schemas Schemas) ([]namedKind, error) {
	named := map[schema.GroupVersionKind][]string{}
	for resource := range p.resources() {
		from := resource.Resource
		resource.Resource = strings.TrimSuffix(from, "/status") // the status is sent as an object of the resource
		if p.hub {
			hub, err := schemas.Hub(ctx, schema.GroupResource{Group: resource.Group, Resource: resource.Resource})
			if err != nil {
				return nil, err
			}
			resource.Version = hub
		}
		kinds, err := kindsOf(ctx, schemas, resource)
		if err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			if _, known := named[kind]; (known || len(named) < mostKinds) && !slices.Contains(named[kind], from) {
				named[kind] = append(named[kind], from)
			}
		}
	}
	var all []namedKind
	for kind, from := range named {
		one := namedKind{GroupVersionKind: kind}
		// Crosswalk also evaluates its own policies for scaled objects.
		if len(from) == 1 && p.native && !p.namesAll() {
			one.resource = from[0]
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b namedKind) int { return strings.Compare(a.String(), b.String()) })
	return all, nil
}

// kindsOf returns the kinds that are sent to a resource, or to a subresource, in a version or,
// for *, in all.
func kindsOf(ctx context.Context, schemas Schemas, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	versions := []string{resource.Version}
	if resource.Version == "*" {
		var err error
		if versions, err = schemas.Versions(ctx, resource.Group); err != nil {
			return nil, err
		}
	}
	var kinds []schema.GroupVersionKind
	for _, version := range versions {
		all, err := schemas.Resources(ctx, schema.GroupVersion{Group: resource.Group, Version: version})
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if r.Name == resource.Resource && !slices.Contains(kinds, r.Kind) {
				kinds = append(kinds, r.Kind)
			}
		}
	}
	return kinds, nil
}

// namesAll reports whether a rule has * for groups or resources.
func (p *Policy) namesAll() bool {
	return slices.ContainsFunc(p.constraints.rules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
		return slices.Contains(rule.APIGroups, "*") || slices.ContainsFunc(rule.Resources, func(r string) bool { return strings.Contains(r, "*") })
	})
}

// resources returns the resources that the rules name.
func (p *Policy) resources() iter.Seq[schema.GroupVersionResource] {
	return func(yield func(schema.GroupVersionResource) bool) {
		left := mostNames
		for _, rule := range p.constraints.rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					if group == "*" || strings.Contains(resource, "*") {
						continue
					}
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
	kind     namedKind
	compiler *compiler
	// checked is how many expressions were checked.
	checked int
	found   []misfit
	// there holds the fields that were asked for and that the kind has, in the form of misfits.
	there map[string]bool
	// known maps paths to the values that all objects of the kind have there.
	known map[string]ref.Val
	// comesTo is the value that the last expression always has. It is nil if that is not known.
	comesTo ref.Val
}

// checkTypes checks for a kind. It returns nil if the kind is not known.
func (p *Policy) checkTypes(ctx context.Context, schemas Schemas, kind namedKind) (*typeChecker, error) {
	c := &typeChecker{kind: kind, compiler: newCompiler(p.paramKind != nil, len(p.lookups) > 0, nil), there: map[string]bool{}, known: kind.known()}
	known := &c.compiler.schemas
	var err error
	if known.object, err = known.of(ctx, schemas, kind.GroupVersionKind); known.object == nil || err != nil {
		return nil, err
	}
	if p.paramKind != nil {
		if known.params, err = known.of(ctx, schemas, *p.paramKind); err != nil {
			return nil, err
		}
	}
	looked := make([]*apiservercel.DeclType, len(p.lookups))
	for i, l := range p.lookups {
		if looked[i], err = known.of(ctx, schemas, l.kind); err != nil {
			return nil, err
		}
	}
	return c, errors.Join(c.checkLookups(ctx, p, looked), c.checkVariables(ctx, p), c.checkRest(ctx, p))
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
		if c.comesTo != nil {
			c.known[plugincel.VariableVarName+"."+v.name] = c.comesTo
		}
	}
	return nil
}

// checkRest checks what is neither a lookup nor a variable. If a condition is always false,
// nothing is evaluated. If a rule always holds, its message is not evaluated.
func (c *typeChecker) checkRest(ctx context.Context, p *Policy) error {
	for _, condition := range p.conditions {
		if _, err := c.check(ctx, &condition.expression); err != nil {
			return err
		}
		if c.comesTo == types.False {
			c.found = nil
			return nil
		}
	}
	for _, r := range p.rules {
		if _, err := c.check(ctx, &r.expression); err != nil {
			return err
		}
		if r.messageExpression == nil || c.comesTo == types.True {
			continue
		}
		if _, err := c.check(ctx, r.messageExpression); err != nil {
			return err
		}
	}
	for _, a := range p.audits {
		if _, err := c.check(ctx, &a.expression); err != nil {
			return err
		}
	}
	for _, m := range p.mutations {
		if _, err := c.check(ctx, &m.expression); err != nil {
			return err
		}
	}
	return nil
}

// check returns the type of an expression, or nil if it does not fit.
func (c *typeChecker) check(ctx context.Context, x *expression) (*cel.Type, error) {
	c.checked++
	c.comesTo = nil
	if err := ctx.Err(); x.broken != nil || err != nil {
		return nil, err
	}
	env, err := c.compiler.environments(x.kind)
	if err != nil {
		return nil, unmade(err)
	}
	parsed, issues := env.counting.Parse(x.text)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	c.narrow(x, parsed, env.counting)
	checked, issues := env.counting.Check(parsed)
	if issues.Err() == nil {
		return checked.OutputType(), nil
	}
	for _, issue := range issues.Errors() {
		if !c.compiler.schemas.mentioned(issue.Message) {
			c.found = append(c.found, misfit{at: c.checked, field: x.field, message: placed(issue.Message, issue.Location)})
		}
	}
	return nil, nil
}

// narrow keeps of an expression what is evaluated for the kind.
func (c *typeChecker) narrow(x *expression, parsed *cel.Ast, env *cel.Env) {
	known := &c.compiler.schemas
	n := &narrower{
		known: c.known, info: parsed.NativeRep().SourceInfo(), env: env, asked: map[string]bool{},
		roots: map[string]*apiservercel.DeclType{
			plugincel.ObjectVarName: known.object, plugincel.OldObjectVarName: known.object, plugincel.ParamsVarName: known.params,
			plugincel.VariableVarName: c.compiler.variables, lookupsVarName: c.compiler.lookups,
		},
	}
	n.narrow(parsed.NativeRep().Expr(), nil)
	if value, known := n.value(parsed.NativeRep().Expr()); known {
		c.comesTo = value
	}
	for _, message := range slices.Sorted(maps.Keys(n.asked)) {
		m := misfit{at: c.checked, field: x.field, message: message, asked: true}
		if n.asked[message] {
			c.there[m.String()] = true
		} else {
			c.found = append(c.found, m)
		}
	}
}

func placed(message string, at common.Location) string {
	return fmt.Sprintf("%s at %d:%d", message, at.Line(), at.Column()+1)
}
