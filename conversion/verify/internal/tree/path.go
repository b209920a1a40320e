package tree

import (
	"slices"
	"strconv"
	"strings"
)

// Step is one step of a path: the name of a member, or an index of a list if IsIndex is true.
type Step struct {
	Name    string
	Index   int
	IsIndex bool
}

// Path leads from a value to a value inside it.
type Path []Step

// Names returns a path of member names.
func Names(names ...string) Path {
	p := make(Path, len(names))
	for i, n := range names {
		p[i].Name = n
	}
	return p
}

// Name returns the path of a member, in a slice of its own.
func (p Path) Name(name string) Path { return append(slices.Clip(p), Step{Name: name}) }

// Index returns the path of an element, in a slice of its own.
func (p Path) Index(i int) Path { return append(slices.Clip(p), Step{Index: i, IsIndex: true}) }

// String writes a path as .spec.jobs[0]['a.b'].
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.IsIndex && s.Index < 0:
			b.WriteString("[*]")
		case s.IsIndex:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case plain(s.Name):
			b.WriteString("." + s.Name)
		default:
			b.WriteString("['" + strings.ReplaceAll(s.Name, "'", `\'`) + "']")
		}
	}
	return b.String()
}

func plain(name string) bool {
	for i, c := range name {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '-') {
			continue
		}
		return false
	}
	return name != ""
}

// At returns the value at a path, or nil.
func (v *Value) At(p Path) *Value {
	for _, s := range p {
		if v == nil {
			return nil
		}
		if s.IsIndex {
			if v.Kind != List || s.Index < 0 || s.Index >= len(v.Items) {
				return nil
			}
			v = v.Items[s.Index]
		} else {
			v = v.Get(s.Name)
		}
	}
	return v
}

// Put sets the value at a path, and makes missing objects on the way; nil deletes. It returns
// false, and changes nothing, if something on the way is not an object, or the index is beyond the
// list.
func (v *Value) Put(p Path, to *Value) bool {
	if len(p) == 0 {
		if to == nil {
			return false
		}
		*v = *to
		return true
	}
	s, last := p[0], len(p) == 1
	if s.IsIndex {
		if v.Kind != List || s.Index < 0 || s.Index >= len(v.Items) {
			return false
		}
		if last {
			if to == nil {
				v.Items = slices.Delete(v.Items, s.Index, s.Index+1)
			} else {
				v.Items[s.Index] = to
			}
			return true
		}
		return v.Items[s.Index].Put(p[1:], to)
	}
	if v.Kind != Object {
		return false
	}
	if last {
		v.Set(s.Name, to)
		return true
	}
	child := v.Get(s.Name)
	if child == nil {
		if to == nil || p[1].IsIndex {
			return false
		}
		child = NewObject()
		if !child.Put(p[1:], to) {
			return false
		}
		v.Set(s.Name, child)
		return true
	}
	return child.Put(p[1:], to)
}

// Walk calls f for the value and everything in it, parents first.
func (v *Value) Walk(f func(p Path, v *Value)) { v.walk(nil, f) }

func (v *Value) walk(p Path, f func(Path, *Value)) {
	if v == nil {
		return
	}
	f(p, v)
	for i := range v.Items {
		v.Items[i].walk(p.Index(i), f)
	}
	for i := range v.Members {
		v.Members[i].Value.walk(p.Name(v.Members[i].Name), f)
	}
}
