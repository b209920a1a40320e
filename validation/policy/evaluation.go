package policy

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// evaluation is a request before one policy with one object of parameters. It
// gives the policy's expressions their variables.
type evaluation struct {
	ctx     context.Context
	subject *subject
	// params is null where there are none.
	params any
	// secretParams says that they are Secrets.
	secretParams bool
	variables    variables
	// early says that only matchConditions are asked: they see no namespace, as in
	// apiserver (admission/plugin/webhook/matchconditions/matcher.go).
	early bool
	// free says that nothing can cost too much, so that nothing is counted.
	free bool
}

var _ cel.Activation = (*evaluation)(nil)

// ResolveName gives a variable.
func (e *evaluation) ResolveName(name string) (any, bool) {
	switch name {
	case plugincel.ObjectVarName:
		return e.subject.object.Root(), true
	case plugincel.OldObjectVarName:
		return e.subject.old.Root(), true
	case plugincel.RequestVarName:
		return e.subject.attributeValue(), true
	case plugincel.ParamsVarName:
		return e.params, true
	case plugincel.NamespaceVarName:
		if e.early {
			return types.NullValue, true
		}
		return e.subject.namespaceObject(e.ctx), true
	case plugincel.VariableVarName:
		return &e.variables, true
	case plugincel.AuthorizerVarName:
		if known := e.subject.authorizerValue(); known != nil {
			return known.all, true
		}
		return types.NewErr("nobody can be asked about authorization here"), true
	case plugincel.RequestResourceAuthorizerVarName:
		if known := e.subject.authorizerValue(); known != nil {
			return known.resource, true
		}
		return types.NewErr("nobody can be asked about authorization here"), true
	}
	return nil, false
}

// Parent is none.
func (e *evaluation) Parent() cel.Activation { return nil }
