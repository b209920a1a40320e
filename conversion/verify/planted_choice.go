package verify

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// choice puts values into the fields of a variant with rows: usually into those of one alternative.
func (p planter) choice(l listedRow, v *tree.Value, on ground) *tree.Value {
	if p.depth++; p.depth > deepest {
		return v
	}
	all, elsewhere := places.Alternatives(l.row), l.row.Variant.Elsewhere
	picked := p.Rand.IntN(len(all))
	for i, a := range all {
		own, other, whole := a.Hub, a.Spoke, l.row.Hub
		if p.version == l.table.Name {
			own, other, whole = a.Spoke, a.Hub, l.row.Spoke
		}
		at, ok := places.Parse(own.Path)
		there, okThere := places.Parse(other.Path)
		if !ok || !okThere || v.Kind != tree.Object {
			return v
		}
		below := ground{}
		var isThere bool
		below.own, isThere = schemaAt(on.own, at)
		below.other, _ = schemaAt(on.other, there)
		rows := append(listedRows(l.table, l.ref.Title+", variant ", a.Rows), l.named(a.Table)...)
		switch value := v.At(at); {
		case value != nil:
			v.Put(at, p.rows(rows, value, below))
		case below.own != nil || !isThere || i != picked && !p.Chance(5):
		case len(elsewhere) > 0 && p.Chance(25):
			if places.Union(whole) {
				p.word(v, whole, elsewhere[0])
			}
		default:
			p.Seen.Count("unknown fields of rows")
			v.Put(at, p.rows(rows, tree.NewObject(), below))
			if places.Union(whole) && !p.Chance(5) {
				p.word(v, whole, a.Name)
			}
		}
	}
	return v
}

// word sets the discriminator of a value to an alternative.
func (p planter) word(v *tree.Value, union *v1alpha1.Place, name string) {
	if at, ok := places.Parse(union.Named["type"]); ok {
		v.Put(at, tree.NewString(name))
	}
}
