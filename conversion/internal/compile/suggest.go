package compile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// suggest finds the path that an author probably meant: of all paths of the
// schema the one whose text is nearest, if it is near enough to what is wrong.
func suggest(root *schema.Schema, wanted path.Path) string {
	known := 0
	for known < len(wanted) && root.At(wanted[:known+1]) != nil {
		known++
	}
	if known == len(wanted) {
		return "" // the element itself: no path is like it
	}
	text, wrong := wanted.String(), len(wanted[known:].String())-1
	best, distance := "", min(max(3, wrong/3+1), max(wrong, 1))
	walk(root, nil, 0, func(p path.Path) {
		candidate := p.String()
		d := edits.Distance(text, candidate)
		if p[len(p)-1] == wanted[len(wanted)-1] {
			// The right name at the wrong place is a likely slip.
			d = min(d, 2)
		}
		if d < distance {
			best, distance = candidate, d
		}
	})
	return best
}

// instead says what an author may have meant by a path that is in no schema, or what
// there is where it leaves the schema.
func instead(root *schema.Schema, wanted path.Path) string {
	if meant := suggest(root, wanted); meant != "" {
		return "did you mean " + meant + "?"
	}
	return parts(root, wanted)
}

// parts says what there is where a path leaves the schema.
func parts(root *schema.Schema, wanted path.Path) string {
	const most = 10
	s, known := root, 0
	for next := s.Member(wanted[0]); next != nil; next = s.Member(wanted[known]) {
		s, known = next, known+1
	}
	names := slices.Sorted(maps.Keys(s.Members))
	if known == 0 {
		names = slices.DeleteFunc(names, func(name string) bool {
			return root.Members["metadata"] != nil && (name == "apiVersion" || name == "kind")
		})
	}
	place, has := wanted[:known].String(), wanted[:known].String()+" has"
	if known == 0 {
		place, has = "it", "there are"
	}
	switch {
	case len(names) == 0:
		return fmt.Sprintf("%s is of type %s and has no fields", place, s.Describe())
	case len(names) > most:
		return fmt.Sprintf("%s %s and %d more", has, listed(names[:most]), len(names)-most)
	}
	return fmt.Sprintf("%s %s", has, listed(names))
}

// meant is instead for a path of a row, as the row has to have it: those of a named table
// start at the object that it is used for, and those of elements at the element.
func (b *builder) meant(w *written, side plan.Side, root *schema.Schema, p path.Path, top bool) string {
	if n := len(w.prefix[side]); n > 0 {
		object, own := root.At(p[:n]), p[n:]
		if object == nil || len(own) == 0 {
			return instead(root, p)
		}
		if rooted := b.fromRoot(side, own, object, "in a named table, paths start at the object that the table is used for"); rooted != "" {
			return rooted
		}
		if near := suggest(object, own); near != "" {
			return "did you mean " + near + "?"
		}
		return parts(root, p)
	}
	if top {
		return instead(root, p)
	}
	return cmp.Or(b.fromRoot(side, p, root, "the paths of these rows start at the element or value"), instead(root, p))
}

// turned reports whether a row has one place on each side, and only the other version
// has it: the author took spoke for hub.
func (b *builder) turned(w *written) bool {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		place := w.side(side)
		if place == nil || place.Named != nil {
			return false
		}
		p, err := path.Parse(place.Path)
		if err != nil || b.schemas[side].At(p) != nil || b.schemas[side.Other()].At(p) == nil {
			return false
		}
	}
	return true
}

// fromRoot is the remedy for a path that is written from the root of the object, and
// should start at the element that the rows are for, as rule says; empty where that is
// not so.
func (b *builder) fromRoot(side plan.Side, p path.Path, element *schema.Schema, rule string) string {
	if b.cel.whole[side].At(p[:1]) == nil || element.Member(p[0]) != nil {
		return ""
	}
	for n := range p {
		if rest := p[n+1:]; len(rest) > 0 && element.At(rest) != nil {
			return fmt.Sprintf("%s: did you mean %s?", rule, rest)
		}
	}
	if b.cel.whole[side].At(p) != nil {
		return rule + "; only cel can read fields outside of it: " + expression.Select(expression.Object, p)
	}
	return ""
}

// candidates names, for a remedy, the places of a side that have the type of another,
// and that neither a row names nor the other version has; empty where there are too many
// to be of use.
func (b *builder) candidates(side plan.Side, like *schema.Schema) string {
	const most = 4
	var found []string
	walk(b.schemas[side], nil, 0, func(p path.Path) {
		if w, _ := b.claimed[side].innermost(p); w == nil && b.schemas[side.Other()].At(p) == nil && b.schemas[side].At(p).Describe() == like.Describe() {
			found = append(found, p.String())
		}
	})
	if len(found) == 0 || len(found) > most {
		return ""
	}
	return fmt.Sprintf(" (only %s has %s)", b.versions[side], strings.Join(found, ", "))
}

// walk visits the paths of a schema in a stable order, as deep as tables reach
// without each.
func walk(s *schema.Schema, at path.Path, depth int, visit func(path.Path)) {
	if depth > 12 {
		return
	}
	names := make([]string, 0, len(s.Members))
	for name := range s.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if depth == 0 && s.Members["apiVersion"] != nil && (name == "apiVersion" || name == "kind" || name == "metadata") {
			continue
		}
		p := at.Child(name)
		visit(p)
		walk(s.Members[name], p, depth+1, visit)
	}
}
