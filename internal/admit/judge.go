package admit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// Judge evaluates writes with a configuration, as the API server would. It is safe for
// concurrent use.
type Judge struct {
	kinds       *kinds
	types       policy.Types
	definitions policy.Definitions
	schemas     policy.Schemas
	found       []*config.Policy
	compiled    *config.Policies
	// guard and strict are the reviewers of the tables.
	guard, strict validation.Reviewer
}

// New compiles a configuration, tables with the options. The error lists everything that is
// wrong with its tables and policies.
func New(c *config.Config, options ...conversion.Option) (*Judge, error) {
	converters, err := c.Compile(options...)
	compiled, failed := c.CompilePolicies()
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	j := &Judge{found: c.Policies, compiled: compiled}
	if j.kinds, err = newKinds(c, converters); err != nil {
		return nil, err
	}
	custom, err := policy.TypesOf(c.CRDs...)
	if err != nil {
		return nil, err
	}
	j.types, j.definitions, j.schemas = types{custom}, custom, schemas{j.kinds, custom}
	tables := webhook.NewTables(nil)
	all := make([]webhook.Converter, len(converters))
	for i, converter := range converters {
		all[i] = converter
	}
	if err := tables.Replace(all); err != nil {
		return nil, err
	}
	j.guard, j.strict = webhook.Guard(tables), webhook.StrictWrites(tables)
	return j, nil
}

// Unbound lists the policies that are never evaluated, because they have no binding.
func (j *Judge) Unbound() []string {
	var names []string
	for _, p := range j.found {
		if p.Unbound() {
			names = append(names, p.String())
		}
	}
	return names
}

// Doubts lists the places where expressions of policies do not fit the schemas of the objects
// that the policies match.
func (j *Judge) Doubts(ctx context.Context) (config.Errors, error) {
	var all config.Errors
	for _, p := range slices.Concat(j.compiled.Validations, j.compiled.Mutations) {
		check, err := p.CheckTypes(ctx, j.schemas)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", p, err)
		}
		i := slices.IndexFunc(j.found, func(f *config.Policy) bool { return f.String() == p.String() })
		for _, warning := range check.Warnings {
			all = append(all, j.found[i].Locate(warning))
		}
	}
	return all, nil
}

// Review evaluates a write as the API server would. An error means that the write cannot be
// evaluated.
func (j *Judge) Review(ctx context.Context, w Write) (*Result, error) {
	if err := w.normalize(); err != nil {
		return nil, err
	}
	p, err := j.receive(&w)
	if err != nil {
		return nil, err
	}
	ctx = validation.WithKnownCaller(ctx)
	for _, stage := range []func(context.Context) error{p.mutate, p.validate} {
		if !p.result.Allowed() {
			break
		}
		if err := stage(ctx); err != nil {
			return nil, err
		}
	}
	p.result.Object = p.object
	return p.result, nil
}

// asker prepares the policies of one phase for a write.
func (p *passage) asker(mutates bool) (*asker, error) {
	cluster := policy.Cluster{Namespaces: p.world, Objects: p.world, Live: p.world, Types: p.judge.types, Definitions: p.judge.definitions, Tables: p.judge.kinds, Reader: p.world}
	observe := func(asked *policy.Policy, _ policy.Opinion) {
		if name := asked.String(); !slices.Contains(p.result.Asked, name) {
			p.result.Asked = append(p.result.Asked, name)
		}
	}
	set, policies := policy.NewValidationSet(cluster, observe), p.judge.compiled.Validations
	if mutates {
		set, policies = policy.NewMutationSet(cluster, observe), p.judge.compiled.Mutations
	}
	if err := set.Replace(policies...); err != nil {
		return nil, err
	}
	a := &asker{sent: p.kind, kind: p.of, set: set}
	for _, found := range p.judge.found {
		if found.Mutates() == mutates {
			a.found = append(a.found, found)
		}
	}
	return a, nil
}

// passage is a write that is being evaluated.
type passage struct {
	judge *Judge
	// kind is the kind of the body, and of the kind of the resource. They differ for most
	// subresources.
	kind, of *kind
	world    *world
	// request is the request of the API server, without the objects.
	request admissionv1.AdmissionRequest
	// object is the current state of the object, and old the stored one; nil if there is none.
	// scaled is the object that a Scale belongs to.
	object, old, scaled map[string]any
	result              *Result
}

// asked returns the request with the current objects.
func (p *passage) asked() (*admissionv1.AdmissionRequest, error) {
	request := p.request
	for _, one := range []struct {
		object map[string]any
		raw    *[]byte
	}{{p.object, &request.Object.Raw}, {p.old, &request.OldObject.Raw}} {
		if one.object == nil {
			continue
		}
		text, err := encode(one.object)
		if err != nil {
			return nil, err
		}
		*one.raw = text
	}
	return &request, nil
}

// take adds the verdict of a reviewer at a stage.
func (p *passage) take(verdict *validation.Verdict, stage Stage) error {
	p.result.add(verdict, stage)
	if verdict == nil || verdict.Object == nil {
		return nil
	}
	object, err := read(verdict.Object)
	if err != nil {
		return fmt.Errorf("after the %s: %w", stage, err)
	}
	p.object = object.Object
	return nil
}

func copied(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	return (&unstructured.Unstructured{Object: object}).DeepCopy().Object
}
