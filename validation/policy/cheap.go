package policy

import (
	"math"
	"strings"

	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/bound"
)

// Counting the cost of expressions takes several times as long as evaluating them. Objects are
// bytes, so nothing in an object is larger than the object. If that alone keeps a policy within
// all its limits, nothing is counted.
const (
	minCounted = 1 << 8
	// maxFree is larger than any object that the API server accepts
	// (k8s.io/apiserver/pkg/apis/cel, MaxRequestSizeBytes).
	maxFree = 1 << 22
)

// cheapUpTo returns the size of objects up to which the policy certainly stays within its
// limits, or 0.
func (p *Policy) cheapUpTo() int {
	cheap := 0
	for size := minCounted; size <= maxFree && p.cheap(float64(size)); size *= 2 {
		cheap = size
	}
	return cheap
}

// cheap reports whether the policy is within its limits for all values, if none of them has a
// size above size.
func (p *Policy) cheap(size float64) bool {
	sizes := map[string]float64{
		plugincel.ObjectVarName: size, plugincel.OldObjectVarName: size, plugincel.RequestVarName: size, plugincel.ParamsVarName: size,
		plugincel.AuthorizerVarName: 1, plugincel.RequestResourceAuthorizerVarName: 1,
	}
	within := len(p.lookups) == 0
	cost := func(x *expression) float64 {
		if x == nil || x.broken != nil {
			return 0
		}
		b := x.bound(sizes)
		within = within && b.Cost <= celconfig.PerCallLimit
		return b.Cost
	}
	var variables, conditions, rules, audits float64
	for _, v := range p.variables {
		variables += cost(&v.expression)
		if v.broken == nil {
			sizes[variableSize+v.name] = v.bound(sizes).Size
		}
	}
	for _, c := range p.conditions {
		conditions += cost(&c.expression)
	}
	for _, r := range p.rules {
		rules += cost(&r.expression) + cost(r.messageExpression)
	}
	for _, a := range p.audits {
		audits += cost(&a.expression)
	}
	for _, m := range p.mutations {
		mutation := cost(&m.expression)
		within = within && variables+mutation <= float64(p.budget)
	}
	return within && variables+rules <= float64(p.budget) && variables+audits <= float64(p.budget) &&
		variables+conditions <= celconfig.RuntimeCELCostBudgetMatchConditions
}

const variableSize = plugincel.VariableVarName + "."

// bound returns the most that an expression costs. Nothing is known about namespaces and
// lookups before they are read.
func (x *expression) bound(sizes map[string]float64) bound.Bound {
	return bound.Of(x.checked, func(name string) float64 {
		if size, known := sizes[name]; known {
			return size
		}
		if strings.HasPrefix(name, variableSize) || name == plugincel.NamespaceVarName || name == lookupsVarName {
			return math.Inf(1)
		}
		return 1 // the name of a type
	})
}

// size returns an upper bound for the sizes of everything in the request.
func (s *subject) size() int {
	if s.sized == 0 {
		s.sized = max(len(s.object.Text()), len(s.old.Text()), attributesSize(s.request))
	}
	return s.sized
}

// sizeOf returns an upper bound for the sizes of everything in a decoded value. It stops at
// limit.
func sizeOf(value any, limit int) int {
	switch value := value.(type) {
	case string:
		return len(value)
	case []any:
		size := len(value)
		for _, element := range value {
			if size > limit {
				break
			}
			size += sizeOf(element, limit)
		}
		return size
	case map[string]any:
		size := len(value)
		for name, member := range value {
			if size > limit {
				break
			}
			size += len(name) + sizeOf(member, limit)
		}
		return size
	}
	return 1
}
