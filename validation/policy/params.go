package policy

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// paramsFor returns the values of params, with each of which the policy is evaluated. The value
// is null for a policy without parameters. An empty list means that the policy is not
// evaluated. It has the same meaning as in apiserver (admission/plugin/policy/generic,
// CollectParams), except that a policy of crosswalk.dev whose conditions do not hold needs no
// params. The API server evaluates such conditions before it looks for params.
func (p *Policy) paramsFor(ctx context.Context, b *binding, s *subject, report *report) []any {
	if p.paramKind == nil || b.params == nil {
		return []any{nil}
	}
	if first := p.asksFirst(); len(first) > 0 {
		applies, err := p.applies(p.newEvaluation(ctx, s, nil), first)
		switch {
		case err == nil && !applies:
			return nil
		case err != nil && len(first) == len(p.conditions):
			return []any{nil} // so that the evaluation fails
		}
	}
	params, err := p.readParams(ctx, b, s)
	if err != nil {
		report.misconfigured(p, b, err)
	}
	return params
}

// asksFirst returns the conditions that need no params. Kubernetes' own policies have none,
// because their params are looked up in any case.
func (p *Policy) asksFirst() (first []*condition) {
	if p.native {
		return nil
	}
	for _, c := range p.conditions {
		if c.reads == nil || !c.reads.params {
			first = append(first, c)
		}
	}
	return first
}

func (p *Policy) readParams(ctx context.Context, b *binding, s *subject) ([]any, error) {
	if s.cluster.Objects == nil {
		return nil, errors.New("params: objects cannot be read here")
	}
	ctx = s.reading(ctx)
	namespace, err := p.paramNamespace(ctx, b.params, s)
	if err != nil {
		return nil, ofParams(s.limit.explain(err))
	}
	found, err := b.params.read(ctx, s.cluster.Objects, *p.paramKind, namespace)
	if err != nil {
		return nil, fmt.Errorf("params: %s: %w", p.paramKind.Kind, err)
	}
	if len(found) == 0 && b.params.required {
		return nil, &worded{
			ours:   fmt.Sprintf("params: no %s %s", p.paramKind.Kind, b.params.describe(namespace)),
			theirs: "no params found for policy binding with `Deny` parameterNotFoundAction",
		}
	}
	params := make([]any, len(found))
	for i, object := range found {
		params[i] = object.Object
	}
	return params, nil
}

func (p *Policy) paramNamespace(ctx context.Context, r *paramRef, s *subject) (string, error) {
	namespaced, err := s.cluster.Objects.Namespaced(ctx, *p.paramKind)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", p.paramKind, err)
	case !namespaced && r.namespace != "":
		return "", &worded{
			ours:   fmt.Sprintf("objects of kind %s are cluster-scoped: remove paramRef.namespace", p.paramKind.Kind),
			theirs: "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
		}
	case !namespaced:
		return "", nil
	case r.namespace != "":
		return r.namespace, nil
	case s.request.Namespace == "":
		return "", &worded{
			ours:   fmt.Sprintf("objects of kind %s are namespaced and the request has no namespace: set paramRef.namespace", p.paramKind.Kind),
			theirs: "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
		}
	}
	return s.request.Namespace, nil
}

func (r *paramRef) read(ctx context.Context, objects Objects, kind schema.GroupVersionKind, namespace string) ([]*unstructured.Unstructured, error) {
	if r.selector != nil {
		return objects.List(ctx, kind, namespace, r.selector)
	}
	object, err := objects.Get(ctx, kind, namespace, r.name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []*unstructured.Unstructured{object}, nil
}

func (r *paramRef) describe(namespace string) string {
	what := "is named " + r.name
	if r.selector != nil {
		what = "has the labels " + r.selector.String()
	}
	if namespace != "" {
		what += " in namespace " + namespace
	}
	return what
}
