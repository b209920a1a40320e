package policy

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Pushable reports whether the matchConditions mean the same as those of a webhook, so
// that the API server need not ask about requests for which they do not hold. A
// webhook has no params, variables, lookups or namespaceObject, and sees objects in
// the version of its rule, and not in the hub's. It is all of a policy's conditions or
// none, and false where there are none.
func (p *Policy) Pushable() bool {
	if p.hub || len(p.conditions) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.conditions, func(c *condition) bool {
		return c.checked == nil || usesAny(c.checked, plugincel.ParamsVarName, plugincel.VariableVarName, lookupsVarName, plugincel.NamespaceVarName)
	})
}

// usesAny reports whether an expression names one of several variables. One that a macro
// binds under such a name counts, too.
func usesAny(checked *ast.AST, names ...string) bool {
	return len(ast.MatchDescendants(ast.NavigateAST(checked), func(e ast.NavigableExpr) bool {
		return e.Kind() == ast.IdentKind && slices.Contains(names, e.AsIdent())
	})) > 0
}
