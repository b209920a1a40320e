package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// kinds records the types of the fields of rows of named tables. A table within itself goes on
// below the end of the schemas, where any value is valid. A mapping that must know which side is
// the text, and which the list, takes the types of the same row further up.
type kinds struct {
	found map[kindOf]*schema.Schema
	// missed are the fields that were asked for before their types were known, and late says that
	// the type of one of them was found later.
	missed map[kindOf]bool
	late   bool
}

// kindOf is a field of a row, by the row's title.
type kindOf struct {
	title   string
	side    plan.Side
	operand string
}

func newKinds() *kinds {
	return &kinds{found: map[kindOf]*schema.Schema{}, missed: map[kindOf]bool{}}
}

// known returns the schema of a field of a row. If it allows anything, known returns what the same
// row has found elsewhere, if that is always the same type.
func (k *kinds) known(w *writtenRow, side plan.Side, name string, s *schema.Schema) *schema.Schema {
	if len(w.within) == 0 || w.mapping == nil || !w.mapping.kinds {
		return s
	}
	at := kindOf{w.title, side, name}
	if s.IsAny() {
		if found := k.found[at]; found != nil {
			return found
		}
		k.missed[at] = true
		return s
	}
	kind := kind(s, openElements(w))
	if w.Where != nil && !openElements(w) {
		kind = bared(s)
	}
	first, known := k.found[at]
	switch {
	case !known:
		k.found[at] = kind
		k.late = k.late || k.missed[at]
	case first != nil && (first.Type != kind.Type || first.IntOrString != kind.IntOrString || (first.Values == nil) != (kind.Values == nil)):
		k.found[at] = nil // here the table is for objects with other types
	}
	return s
}

// kind returns the type of a field, without a default: below the end of the schemas the API server
// neither prunes nor adds defaults. For parts of elements it returns the type of single values,
// unless open.
func kind(s *schema.Schema, open bool) *schema.Schema {
	k := &schema.Schema{Type: s.Type, IntOrString: s.IntOrString, Open: s.IsObject(), Nullable: true}
	for at, of := range map[**schema.Schema]*schema.Schema{&k.Items: s.Items, &k.Values: s.Values} {
		switch {
		case of == nil:
		case open || of.IsAny() || of.Type == "array" || of.Values != nil:
			*at = schema.Any()
		default:
			*at = kind(of, open)
			for name, member := range of.Members {
				if !member.IsObject() && member.Type != "array" {
					(*at).Members = withMember((*at).Members, name, kind(member, open))
				}
			}
		}
	}
	return k
}

func withMember(members map[string]*schema.Schema, name string, s *schema.Schema) map[string]*schema.Schema {
	if members == nil {
		members = map[string]*schema.Schema{}
	}
	members[name] = s
	return members
}

// openElements reports whether the elements that a row maps may have any type, because they use a
// named table.
func openElements(w *writtenRow) bool { return usesTable(&w.Row) }

func usesTable(r *v1alpha1.Row) bool {
	return slices.ContainsFunc(r.Inner(), func(i v1alpha1.Inner) bool {
		return i.Table != "" || slices.ContainsFunc(*i.Rows, func(r v1alpha1.Row) bool { return r.Table != "" || usesTable(&r) })
	})
}

func bared(s *schema.Schema) *schema.Schema {
	k := &schema.Schema{Type: s.Type, IntOrString: s.IntOrString, Open: s.Open, Nullable: true}
	if s.Items != nil {
		k.Items = bared(s.Items)
	}
	if s.Values != nil {
		k.Values = bared(s.Values)
	}
	for name, member := range s.Members {
		k.Members = withMember(k.Members, name, bared(member))
	}
	return k
}
