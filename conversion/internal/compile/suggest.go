package compile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// similarPath returns a remedy for a path that does not exist: a similar one, as the row must write it.
// In a named table, paths start at the object that the table is used for, and in rows for elements
// at the element.
func (b *builder) similarPath(w *writtenRow, side plan.Side, root *schema.Schema, p path.Path, top bool) string {
	if n := len(w.prefix[side]); n > 0 {
		object, own := root.At(p[:n]), p[n:]
		if object == nil || len(own) == 0 {
			return diagnose.Instead(root, p)
		}
		if rooted := b.fromRoot(side, own, object, "in a named table, paths start at the object that the table is used for"); rooted != "" {
			return rooted
		}
		if near := diagnose.Nearest(object, own); near != "" {
			return "did you mean " + near + "?"
		}
		return diagnose.FieldsAt(root, p)
	}
	if top {
		return diagnose.Instead(root, p)
	}
	return cmp.Or(b.fromRoot(side, p, root, "the paths of these rows start at the element or value"), diagnose.Instead(root, p))
}

// areSidesExchanged reports whether a row has one field on each side, and only the other version has each: the
// author has exchanged spoke and hub.
func (b *builder) areSidesExchanged(w *writtenRow) bool {
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

// fromRoot returns the remedy for a path that starts at the root of the object instead of the
// element, as rule requires, or "".
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

// candidates returns, for a remedy, the fields of a side that have the same type, that no row
// names, and that the other version lacks, or "" if there are too many.
func (b *builder) candidates(side plan.Side, like *schema.Schema) string {
	const most = 4
	var found []string
	diagnose.Walk(b.schemas[side], nil, 0, func(p path.Path) {
		if w, _ := b.claimed[side].innermost(p); w == nil && b.schemas[side.Other()].At(p) == nil && b.schemas[side].At(p).Describe() == like.Describe() {
			found = append(found, p.String())
		}
	})
	if len(found) == 0 || len(found) > most {
		return ""
	}
	return fmt.Sprintf(" (only %s has %s)", b.versions[side], strings.Join(found, ", "))
}
