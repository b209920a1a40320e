package schema

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Complete is Canonical with every default of s written out, including those inside of defaults:
// what the API server makes of value when an object is written. A conversion must do the same for
// values that it adds, because its result is pruned but gets no defaults (apiextensions-apiserver,
// pkg/apiserver, schemaCoercingConverter).
func (w Writer) Complete(dst, value []byte, s *Schema) []byte {
	return (&canonicalizer{caller: w.Caller, complete: true}).append(dst, value, s)
}

// Complete is Writer.Complete without a caller.
func Complete(dst, value []byte, s *Schema) []byte { return Writer{}.Complete(dst, value, s) }

// ImpliesMore reports whether the default is an object with more in it than the defaults of its members
// put into an empty one.
func (s *Schema) ImpliesMore() bool {
	if !s.ImpliesObject() {
		return false
	}
	if string(s.Default) != "{}" {
		return true
	}
	for _, m := range s.Members {
		if m.ImpliesMore() {
			return true
		}
	}
	return false
}

// ImpliesObject reports whether the default is an object.
func (s *Schema) ImpliesObject() bool { return len(s.Default) > 0 && s.Default[0] == '{' }

// HasRowDefaultInside reports whether a row's default gives a value to an absent member, at any depth
// of objects.
func (s *Schema) HasRowDefaultInside() bool {
	for _, m := range s.Members {
		if m.HasRowDefault || m.HasRowDefaultInside() {
			return true
		}
	}
	return false
}

// Speaks reports whether the field, or a member in it, has a value when it is absent: by its default,
// or by that of a row.
func (s *Schema) Speaks() bool {
	if s.Default != nil || s.HasRowDefault {
		return true
	}
	for _, m := range s.Members {
		if m.Speaks() {
			return true
		}
	}
	return false
}

// DefaultsInside reports whether something inside the field has a default.
func (s *Schema) DefaultsInside() bool {
	for _, m := range s.Members {
		if m.Default != nil || m.DefaultsInside() {
			return true
		}
	}
	return s.Items != nil && s.Items.DefaultsInside() || s.Values != nil && s.Values.DefaultsInside()
}

// missingDefaults returns the members of s that have a default and that are absent, in the order of their
// names. present are the nodes of the others.
func (c *canonicalizer) missingDefaults(present []int32, s *Schema) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		of := s.Members[name]
		if of.Default == nil {
			continue
		}
		if at := slices.IndexFunc(present, func(m int32) bool { return string(c.nodes[m].name) == name }); at >= 0 {
			if n := &c.nodes[present[at]]; c.scan.Src[n.pos] != 'n' || of.Nullable {
				continue
			}
		}
		names = append(names, name)
	}
	return names
}

// appendDefault appends a member with its default to an object that begins at open.
func appendDefault(dst []byte, open int, name string, s *Schema) []byte {
	if len(dst) > open {
		dst = append(dst, ',')
	}
	dst = append(jsontext.Quote(dst, []byte(name)), ':')
	return append(dst, s.Members[name].Whole...)
}
