package expression

import (
	"maps"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// record is an object or a map of the source. Its names are ordered: those of a Go map are not, and
// the same object must always give the same bytes.
type record struct {
	traits.Mapper
	names []string
	// fields says that it is an object with declared fields: expressions write their names escaped.
	fields bool
}

func newRecord(members map[string]ref.Val, fields bool) *record {
	values := make(map[string]any, len(members))
	for name, value := range members {
		values[name] = value
	}
	return &record{types.NewStringInterfaceMap(types.DefaultTypeAdapter, values), slices.Sorted(maps.Keys(members)), fields}
}

// Find returns a member by the name that the expression has for it.
func (r *record) Find(key ref.Val) (ref.Val, bool) {
	if name, ok := key.(types.String); ok && r.fields {
		unescaped, ok := apiservercel.Unescape(string(name))
		if !ok {
			return nil, false
		}
		key = types.String(unescaped)
	}
	return r.Mapper.Find(key)
}

// Get is Find, or an error.
func (r *record) Get(key ref.Val) ref.Val {
	if value, found := r.Find(key); found {
		return value
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Contains reports whether Find finds a member.
func (r *record) Contains(key ref.Val) ref.Val {
	_, found := r.Find(key)
	return types.Bool(found)
}

// Equal reports whether the other value is the same object.
func (r *record) Equal(other ref.Val) ref.Val {
	if o, ok := other.(*record); ok && o.fields == r.fields {
		other = o.Mapper
	}
	return r.Mapper.Equal(other)
}

// IsZeroValue reports whether it is empty, for optional.ofNonZeroValue.
func (r *record) IsZeroValue() bool { return len(r.names) == 0 }

// Iterator visits the names in order.
func (r *record) Iterator() traits.Iterator { return &iterator{r: r} }

type iterator struct {
	traits.Iterator
	r    *record
	next int
}

func (i *iterator) HasNext() ref.Val { return types.Bool(i.next < len(i.r.names)) }

func (i *iterator) Next() ref.Val {
	name := i.r.names[i.next]
	i.next++
	if escaped, ok := apiservercel.Escape(name); ok && i.r.fields {
		name = escaped
	}
	return types.String(name)
}
