// Package tree has JSON values as small ordered trees: numbers keep their text, members keep their
// order, and an absent value (a nil *Value) is not null.
//
// It is for tests and generators, where simplicity is more important than speed.
package tree

import "slices"

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is a JSON value. A nil *Value is an absent one.
type Value struct {
	Kind Kind
	// Text is the string, the number as it was written, or true or false.
	Text    string
	Items   []*Value
	Members []Member
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value *Value
}

// NewNull, NewBool, NewNumber, NewString, NewList and NewObject make values.
func NewNull() *Value { return &Value{Kind: Null} }

// NewBool makes a boolean.
func NewBool(b bool) *Value {
	if b {
		return &Value{Kind: Bool, Text: "true"}
	}
	return &Value{Kind: Bool, Text: "false"}
}

// NewNumber makes a number from its text.
func NewNumber(text string) *Value { return &Value{Kind: Number, Text: text} }

// NewString makes a string.
func NewString(s string) *Value { return &Value{Kind: String, Text: s} }

// NewList makes a list.
func NewList(items ...*Value) *Value { return &Value{Kind: List, Items: items} }

// NewObject makes an object.
func NewObject(members ...Member) *Value { return &Value{Kind: Object, Members: members} }

// Get returns the member of an object, or nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}

// Set replaces or appends a member; nil deletes it.
func (v *Value) Set(name string, to *Value) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			if to == nil {
				v.Members = slices.Delete(v.Members, i, i+1)
			} else {
				v.Members[i].Value = to
			}
			return
		}
	}
	if to != nil {
		v.Members = append(v.Members, Member{name, to})
	}
}

// Clone copies a value deeply.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	out := &Value{Kind: v.Kind, Text: v.Text}
	for _, item := range v.Items {
		out.Items = append(out.Items, item.Clone())
	}
	for _, m := range v.Members {
		out.Members = append(out.Members, Member{m.Name, m.Value.Clone()})
	}
	return out
}

// Size returns the number of values in a tree.
func (v *Value) Size() int {
	if v == nil {
		return 0
	}
	n := 1
	for _, item := range v.Items {
		n += item.Size()
	}
	for _, m := range v.Members {
		n += m.Value.Size()
	}
	return n
}
