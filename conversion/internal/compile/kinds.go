package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// kinds remembers what stands at the places of the rows of named tables. A table within
// itself goes on below the end of the schemas, where anything may stand, and a mapping
// that has to know which side is the text, and which the list, takes it from the same
// row above.
type kinds struct {
	found map[kindOf]*schema.Schema
	// missed are places that were asked for before they were found, and late says that
	// one of them has been found since.
	missed map[kindOf]bool
	late   bool
}

// kindOf is a place of a row, by the row's title.
type kindOf struct {
	title   string
	side    plan.Side
	operand string
}

func newKinds() *kinds {
	return &kinds{found: map[kindOf]*schema.Schema{}, missed: map[kindOf]bool{}}
}

// known returns the schema of a place of a row: where that is anything, what the same row has found
// elsewhere, if that is one kind of thing.
func (k *kinds) known(w *written, side plan.Side, name string, s *schema.Schema) *schema.Schema {
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
		k.found[at] = nil // the table is for objects that are not alike here
	}
	return s
}

// kind returns what may stand at a place, without a default: where no schema is, the API server
// neither prunes nor fills in. Of the parts of elements it says what the single values are, unless
// open leaves the elements open.
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

// openElements reports whether nothing may be said of the elements that a row maps: they are again
// what a named table is for, or have such in them.
func openElements(w *written) bool { return usesTable(&w.Row) }

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
