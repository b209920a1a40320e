package policy

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Pushable reports whether the matchConditions have the same meaning in a webhook, so that the
// API server need not call for requests for which they do not hold. A webhook has no params,
// variables, lookups or namespaceObject, and sees objects in the version of its rule, and not
// in the hub's. Pushable is about all conditions together, and false if there are none.
func (p *Policy) Pushable() bool {
	if p.hub || len(p.conditions) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.conditions, func(c *condition) bool {
		return c.checked == nil || usesAny(c.checked, plugincel.ParamsVarName, plugincel.VariableVarName, lookupsVarName, plugincel.NamespaceVarName)
	})
}

// usesAny reports whether an expression uses one of several names, including names that a macro
// binds.
func usesAny(checked *ast.AST, names ...string) bool {
	return len(ast.MatchDescendants(ast.NavigateAST(checked), func(e ast.NavigableExpr) bool {
		return e.Kind() == ast.IdentKind && slices.Contains(names, e.AsIdent())
	})) > 0
}
