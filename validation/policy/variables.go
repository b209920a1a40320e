package policy

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// variables is the CEL variable of that name: a map whose values are evaluated
// when they are first read, once for a request.
type variables struct {
	of     *evaluation
	all    []*variable
	values []ref.Val
	// cost is what evaluating them has cost and nobody has been charged for yet.
	cost uint64
}

var _ traits.Mapper = (*variables)(nil)

func (v *variables) takeCost() uint64 {
	cost := v.cost
	v.cost = 0
	return cost
}

// Find evaluates a variable.
func (v *variables) Find(key ref.Val) (ref.Val, bool) {
	escaped, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	name, ok := apiservercel.Unescape(string(escaped))
	if !ok {
		return nil, false
	}
	for i, known := range v.all {
		if known.name == name {
			return v.value(i), true
		}
	}
	return nil, false
}

func (v *variables) value(i int) ref.Val {
	if v.values == nil {
		v.values = make([]ref.Val, len(v.all))
	}
	if v.values[i] == nil {
		v.values[i] = v.evaluate(v.all[i])
	}
	return v.values[i]
}

func (v *variables) evaluate(x *variable) ref.Val {
	if x.broken != nil {
		return types.WrapErr(fmt.Errorf("the variable %s does not compile: %w", x.name, x.broken))
	}
	if v.of.free {
		value, _, err := x.free.ContextEval(v.of.ctx, v.of)
		if err != nil {
			return types.WrapErr(fmt.Errorf("the variable %s: %w", x.name, err))
		}
		return value
	}
	value, details, err := x.counted.ContextEval(v.of.ctx, v.of)
	if details == nil || details.ActualCost() == nil {
		v.cost = math.MaxUint64
		return types.WrapErr(fmt.Errorf("the cost of the variable %s cannot be told", x.name))
	}
	if v.cost += *details.ActualCost(); v.cost < *details.ActualCost() {
		v.cost = math.MaxUint64
	}
	if err != nil {
		return types.WrapErr(fmt.Errorf("the variable %s: %w", x.name, err))
	}
	return value
}

// Get is Find with an error for a name that no variable has.
func (v *variables) Get(key ref.Val) ref.Val {
	value, found := v.Find(key)
	if !found {
		return types.ValOrErr(key, "no such key: %v", key)
	}
	return value
}

// Contains says whether there is a variable of that name, and whether it has a
// value.
func (v *variables) Contains(key ref.Val) ref.Val {
	value, found := v.Find(key)
	if value != nil && types.IsUnknownOrError(value) {
		return value
	}
	return types.Bool(found)
}

// Size is the number of variables.
func (v *variables) Size() ref.Val { return types.Int(len(v.all)) }

// Iterator gives nothing: the type checker lets no expression iterate.
func (v *variables) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, nil).Iterator()
}

// The rest makes it a CEL value.

var errNotAlone = errors.New("variables cannot be used but by name")

func (v *variables) ConvertToNative(reflect.Type) (any, error) { return nil, errNotAlone }
func (v *variables) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return types.MapType
	}
	return types.WrapErr(errNotAlone)
}
func (v *variables) Equal(other ref.Val) ref.Val {
	same, ok := other.(*variables)
	return types.Bool(ok && same == v)
}
func (v *variables) Type() ref.Type { return types.MapType }
func (v *variables) Value() any     { return types.NoSuchOverloadErr() }
