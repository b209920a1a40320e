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

// warnUnnamed warns of what a discriminator may say, by its enum, and no alternative is named as,
// where the version with the alternatives has a place that is called as theirs are. Without such a
// place there is nothing to map: the value is kept.
func (b *builder) warnUnnamed(w *written, side plan.Side) {
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

// calledAs finds the place of an alternative that no row of a variant names, by how the places of
// the others are called, or nil if there is none.
func (b *builder) calledAs(w *written, side plan.Side, name string) path.Path {
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

// plain returns what two names have in common that are written by different customs: ConfigMap,
// configMap and config-map.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
