package compile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// warnUnnamed warns of values in the enum of a discriminator for which there is no alternative, if
// the version with the alternatives has a field whose name is like theirs. Without such a field
// there is nothing to map, and the value is kept.
func (b *builder) warnUnnamed(w *writtenRow, side plan.Side) {
	other := side.Other()
	for _, value := range w.schemas[other][0].Enum {
		if value[0] != '"' {
			continue
		}
		name := string(jsontext.Unquote(nil, value[1:len(value)-1]))
		p := b.calledAs(w, side, name)
		if slices.Contains(w.names[side], name) || p == nil {
			continue
		}
		label := diagnose.Word(value)
		text := label + ": " + diagnose.Path(p[len(w.prefix[side]):])
		remedy := fmt.Sprintf("add it: %s: {..., %s}", side, text)
		if tied, depth := b.claimed[side].innermost(p); tied != nil && depth == len(p) && w.side(other).Named != nil {
			remedy += fmt.Sprintf(", and, because %s maps the field, variant: {elsewhere: [%s]}", tied.title, label)
		}
		b.warning(w, remedy, "variant: %s may be %s in %s, but there is no alternative with that name, although %s has %s: neither version shows this alternative in the other",
			w.paths[other][0], value, b.versions[other], b.versions[side], p)
	}
}

// calledAs finds the field of an alternative that no row of a variant names, by the names of the
// others, or nil.
func (b *builder) calledAs(w *writtenRow, side plan.Side, name string) path.Path {
	for i, p := range w.paths[side] {
		for n := range p {
			known, around := plain(w.names[side][i]), b.schemas[side].At(p[:n])
			before, behind, found := strings.Cut(plain(p[n]), known)
			if known == "" || !found || around == nil {
				continue
			}
			for _, member := range around.Names() {
				q := slices.Concat(p[:n], path.Path{member}, p[n+1:])
				if plain(member) == before+plain(name)+behind && b.schemas[side].At(q) != nil && !slices.ContainsFunc(w.paths[side], func(p path.Path) bool { return slices.Equal(p, q) }) {
					return q
				}
			}
		}
	}
	return nil
}

// plain returns a name without differences of spelling: ConfigMap, configMap and config-map are the
// same.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
