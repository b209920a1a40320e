package lazy

import (
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// object is a JSON object. Its members are found when it is opened.
type object struct {
	container
	members []member
	// index finds members of objects with many.
	index map[string]int
}

// many is the number of members from which on an index is worthwhile.
const many = 24

// few is how many members most objects have at most.
const few = 8

// member is a name and a value of an object.
type member struct {
	name  jsontext.Name
	at    jsontext.Span
	value ref.Val
}

var (
	_ traits.Mapper   = (*object)(nil)
	_ traits.Foldable = (*object)(nil)
	_ traits.Zeroer   = (*object)(nil)
)

// open finds the members.
func (o *object) open() {
	if !o.enter() {
		return
	}
	if err := o.scan(); err != nil {
		o.doc.fail(err)
		o.members = nil
		return
	}
	if len(o.members) >= many {
		o.index = make(map[string]int, len(o.members))
		for i := range o.members {
			o.index[o.name(i)] = i
		}
	}
}

func (o *object) scan() error {
	if cap(o.doc.members)-len(o.doc.members) < few {
		o.doc.members = make([]member, 0, max(4*few, min(2*cap(o.doc.members), 64*few)))
	}
	members := o.doc.members
	walk := o.doc.scanner.Object(int(o.at.Start))
	for {
		name, more, err := walk.Next()
		if err != nil {
			return err
		}
		if !more {
			o.members = members[len(o.doc.members):len(members):len(members)]
			o.doc.members = members
			return nil
		}
		if walk.End, err = o.doc.end(walk.Value); err != nil {
			return err
		}
		members = append(members, member{name: name, at: jsontext.Span{Start: int32(walk.Value), End: int32(walk.End)}})
	}
}

// name returns the name of a member.
func (o *object) name(i int) string {
	name := o.members[i].name
	return unquote(name.Bytes(o.doc.scanner.Src), name.Escaped)
}

// find returns the index of a name among the members.
func (o *object) find(name string) (int, bool) {
	o.open()
	if o.index != nil {
		i, known := o.index[name]
		return i, known
	}
	for i := range o.members {
		m := &o.members[i]
		if m.name.Escaped {
			if o.name(i) == name {
				return i, true
			}
		} else if string(m.name.Bytes(o.doc.scanner.Src)) == name {
			return i, true
		}
	}
	return 0, false
}

// value returns the value of a member.
func (o *object) value(i int) ref.Val {
	m := &o.members[i]
	if m.value == nil {
		m.value = o.doc.value(m.at, o.depth+1)
	}
	return m.value
}

// Find returns the value of a name. Names are strings; nothing else is found.
func (o *object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	i, known := o.find(string(name))
	if !known {
		return nil, false
	}
	return o.value(i), true
}

// Get is Find with an error for a missing name.
func (o *object) Get(key ref.Val) ref.Val {
	value, found := o.Find(key)
	if !found {
		return types.ValOrErr(value, "no such key: %v", key)
	}
	return value
}

// Contains reports whether there is a member with that name.
func (o *object) Contains(key ref.Val) ref.Val {
	name, ok := key.(types.String)
	if !ok {
		return types.False
	}
	_, known := o.find(string(name))
	return types.Bool(known)
}

// Size returns the number of members.
func (o *object) Size() ref.Val {
	o.open()
	return types.Int(len(o.members))
}

// IsZeroValue reports whether the object is empty.
func (o *object) IsZeroValue() bool {
	o.open()
	return len(o.members) == 0
}

// Iterator iterates over the names in the order of the text.
func (o *object) Iterator() traits.Iterator {
	o.open()
	return &iterator{size: len(o.members), next: func(i int) ref.Val { return types.String(o.name(i)) }}
}

// Fold iterates over names and values in the order of the text.
func (o *object) Fold(f traits.Folder) {
	o.open()
	for i := range o.members {
		if !f.FoldEntry(types.String(o.name(i)), o.value(i)) {
			return
		}
	}
}

// Equal compares with any map. Equal texts are equal values.
func (o *object) Equal(other ref.Val) ref.Val { return o.equal(other, true) }

func (o *object) equal(other ref.Val, byText bool) ref.Val {
	if byText && same(o, other) {
		return types.True
	}
	mapper, ok := other.(traits.Mapper)
	if !ok || o.Size() != mapper.Size() {
		return types.False
	}
	for i := range o.members {
		theirs, found := mapper.Find(types.String(o.name(i)))
		if !found || equalIn(&o.container, o.value(i), theirs) == types.False {
			return types.False
		}
	}
	return types.True
}

// Type returns the type of maps.
func (o *object) Type() ref.Type { return types.MapType }

// ConvertToType converts to a map, which it already is, or returns the type.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.MapType:
		return o
	case types.TypeType:
		return types.MapType
	}
	return types.NewErr("type conversion error from '%s' to '%s'", types.MapType, t)
}

// ConvertToNative decodes the object.
func (o *object) ConvertToNative(t reflect.Type) (any, error) {
	return types.NewStringInterfaceMap(types.DefaultTypeAdapter, o.native()).ConvertToNative(t)
}

// Value decodes the object: values that are built from it consist of Go's maps and slices.
func (o *object) Value() any { return o.native() }

func (o *object) native() map[string]any {
	o.open()
	decoded := make(map[string]any, len(o.members))
	for i := range o.members {
		decoded[o.name(i)] = native(o.value(i))
	}
	return decoded
}

// String is for messages.
func (o *object) String() string { return types.Format(o) }
