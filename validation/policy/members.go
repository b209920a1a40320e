package policy

import (
	"errors"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// members is a CEL variable whose members are computed when they are first read, once for an
// evaluation: variables and lookups.
type members struct {
	size   int
	name   func(i int) string
	make   func(i int) ref.Val
	values []ref.Val
}

var _ traits.Mapper = (*members)(nil)

// Find computes a member.
func (m *members) Find(key ref.Val) (ref.Val, bool) {
	escaped, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	name, ok := apiservercel.Unescape(string(escaped))
	if !ok {
		return nil, false
	}
	for i := range m.size {
		if m.name(i) == name {
			return m.value(i), true
		}
	}
	return nil, false
}

func (m *members) value(i int) ref.Val {
	if m.values == nil {
		m.values = make([]ref.Val, m.size)
	}
	if m.values[i] == nil {
		m.values[i] = m.make(i)
	}
	return m.values[i]
}

// Get is Find with an error for an unknown name.
func (m *members) Get(key ref.Val) ref.Val {
	value, found := m.Find(key)
	if !found {
		return types.ValOrErr(key, "no such key: %v", key)
	}
	return value
}

// Contains reports whether a member with that name exists, and has a value.
func (m *members) Contains(key ref.Val) ref.Val {
	value, found := m.Find(key)
	if value != nil && types.IsUnknownOrError(value) {
		return value
	}
	return types.Bool(found)
}

// Size returns the number of members.
func (m *members) Size() ref.Val { return types.Int(m.size) }

// Iterator iterates over nothing: the type checker lets no expression iterate.
func (m *members) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, nil).Iterator()
}

// The other methods make it a CEL value.

var errNotAlone = errors.New("it can be used only by the names of its members")

func (m *members) ConvertToNative(reflect.Type) (any, error) { return nil, errNotAlone }
func (m *members) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return types.MapType
	}
	return types.WrapErr(errNotAlone)
}
func (m *members) Equal(other ref.Val) ref.Val {
	same, ok := other.(*members)
	return types.Bool(ok && same == m)
}
func (m *members) Type() ref.Type { return types.MapType }
func (m *members) Value() any     { return types.NoSuchOverloadErr() }
