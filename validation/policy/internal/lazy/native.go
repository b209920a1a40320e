package lazy

import (
	"bytes"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// native returns what the API server's decoder returns for a value.
func native(v ref.Val) any {
	switch v := v.(type) {
	case *object:
		return v.native()
	case *list:
		return v.native()
	case types.Null:
		return nil
	}
	return v.Value()
}

// Native decodes the value.
func Native(v ref.Val) any { return native(v) }

// Text returns the JSON text of a value of this package that is an object or a list.
func Text(v ref.Val) ([]byte, bool) {
	switch v := v.(type) {
	case *object:
		return v.text(), true
	case *list:
		return v.text(), true
	}
	return nil, false
}

// same reports that both have the same text, and so the same value.
func same(v, other ref.Val) bool {
	ours, _ := Text(v)
	theirs, ok := Text(other)
	return ok && bytes.Equal(ours, theirs)
}

// equalIn compares the contents of two containers whose texts differ. It does not compare the
// text of the largest part again: in a deep value that would compare everything once more at
// every depth.
func equalIn(outer *container, v, other ref.Val) ref.Val {
	small := func(inner *container) bool { return 2*len(inner.text()) <= len(outer.text()) }
	switch v := v.(type) {
	case *object:
		return v.equal(other, small(&v.container))
	case *list:
		return v.equal(other, small(&v.container))
	}
	return types.Equal(v, other)
}

// iterator iterates over a list or an object.
type iterator struct {
	at, size int
	next     func(i int) ref.Val
}

var _ traits.Iterator = (*iterator)(nil)

func (i *iterator) HasNext() ref.Val { return types.Bool(i.at < i.size) }

func (i *iterator) Next() ref.Val {
	if i.at >= i.size {
		return nil
	}
	i.at++
	return i.next(i.at - 1)
}

// The other methods make it a CEL value, which expressions never see.

func (i *iterator) ConvertToNative(t reflect.Type) (any, error) {
	return nil, types.NewErr("an iterator is no %v", t).(*types.Err)
}
func (i *iterator) ConvertToType(ref.Type) ref.Val { return types.NoSuchOverloadErr() }
func (i *iterator) Equal(ref.Val) ref.Val          { return types.NoSuchOverloadErr() }
func (i *iterator) Type() ref.Type                 { return types.IteratorType }
func (i *iterator) Value() any                     { return nil }
