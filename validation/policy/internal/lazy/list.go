package lazy

import (
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// list is a JSON array. Its elements are found when it is opened.
type list struct {
	container
	elements []element
}

type element struct {
	at    jsontext.Span
	value ref.Val
}

var (
	_ traits.Lister   = (*list)(nil)
	_ traits.Foldable = (*list)(nil)
	_ traits.Zeroer   = (*list)(nil)
)

func (l *list) open() {
	if !l.enter() {
		return
	}
	if err := l.scan(); err != nil {
		l.doc.fail(err)
		l.elements = nil
	}
}

func (l *list) scan() error {
	if cap(l.doc.elements)-len(l.doc.elements) < few {
		l.doc.elements = make([]element, 0, max(4*few, min(2*cap(l.doc.elements), 64*few)))
	}
	elements := l.doc.elements
	walk := l.doc.scanner.Array(int(l.at.Start))
	for {
		more, err := walk.Next()
		if err != nil {
			return err
		}
		if !more {
			l.elements = elements[len(l.doc.elements):len(elements):len(elements)]
			l.doc.elements = elements
			return nil
		}
		if walk.End, err = l.doc.end(walk.Value); err != nil {
			return err
		}
		elements = append(elements, element{at: jsontext.Span{Start: int32(walk.Value), End: int32(walk.End)}})
	}
}

func (l *list) value(i int) ref.Val {
	e := &l.elements[i]
	if e.value == nil {
		e.value = l.doc.value(e.at, l.depth+1)
	}
	return e.value
}

// Get returns the element at an index.
func (l *list) Get(index ref.Val) ref.Val {
	i, err := types.IndexOrError(index)
	if err != nil {
		return types.ValOrErr(index, "%v", err)
	}
	l.open()
	if i < 0 || i >= len(l.elements) {
		return types.NewErr("index '%d' out of range in list size '%d'", i, len(l.elements))
	}
	return l.value(i)
}

// Contains reports whether an element is equal to the value.
func (l *list) Contains(value ref.Val) ref.Val {
	l.open()
	for i := range l.elements {
		if value.Equal(l.value(i)) == types.True {
			return types.True
		}
	}
	return types.False
}

// Size returns the number of elements.
func (l *list) Size() ref.Val {
	l.open()
	return types.Int(len(l.elements))
}

// IsZeroValue reports whether the list is empty.
func (l *list) IsZeroValue() bool {
	l.open()
	return len(l.elements) == 0
}

// Iterator iterates over the elements.
func (l *list) Iterator() traits.Iterator {
	l.open()
	return &iterator{size: len(l.elements), next: l.value}
}

// Fold iterates over indexes and elements.
func (l *list) Fold(f traits.Folder) {
	l.open()
	for i := range l.elements {
		if !f.FoldEntry(i, l.value(i)) {
			return
		}
	}
}

// Add appends another list.
func (l *list) Add(other ref.Val) ref.Val {
	l.open()
	values := make([]ref.Val, len(l.elements))
	for i := range l.elements {
		values[i] = l.value(i)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values).Add(other)
}

// Equal compares with any list. Equal texts are equal values.
func (l *list) Equal(other ref.Val) ref.Val { return l.equal(other, true) }

func (l *list) equal(other ref.Val, byText bool) ref.Val {
	if byText && same(l, other) {
		return types.True
	}
	lister, ok := other.(traits.Lister)
	if !ok || l.Size() != lister.Size() {
		return types.False
	}
	for i := range l.elements {
		if equalIn(&l.container, l.value(i), lister.Get(types.Int(i))) == types.False {
			return types.False
		}
	}
	return types.True
}

// Type returns the type of lists.
func (l *list) Type() ref.Type { return types.ListType }

// ConvertToType converts to a list, which it already is, or returns the type.
func (l *list) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.ListType:
		return l
	case types.TypeType:
		return types.ListType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", types.ListType, t)
}

// ConvertToNative decodes the list.
func (l *list) ConvertToNative(t reflect.Type) (any, error) {
	return types.NewDynamicList(types.DefaultTypeAdapter, l.native()).ConvertToNative(t)
}

// Value decodes the list: values that are built from it consist of Go's maps and slices.
func (l *list) Value() any { return l.native() }

func (l *list) native() []any {
	l.open()
	decoded := make([]any, len(l.elements))
	for i := range l.elements {
		decoded[i] = native(l.value(i))
	}
	return decoded
}

// String is for messages.
func (l *list) String() string { return types.Format(l) }
