package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
)

// evolutionCases returns cases of L7 for one object of the earlier table.
func (s *Subject) evolutionCases(g *generator) []Case {
	was := s.earlier
	g.Hints = was.hints
	versions := was.Versions()
	from := versions[g.Rand.IntN(len(versions))]
	// The stored version and the version of the views must exist under both tables.
	both := slices.DeleteFunc(s.Versions(), func(v string) bool { return !slices.Contains(versions, v) })
	other := func(than string, of []string) string {
		for {
			if v := of[g.Rand.IntN(len(of))]; v != than {
				return v
			}
		}
	}
	object := g.resource(was, from)
	if g.Chance(25) {
		object = coerce(g.fragment(was, object), was.schemas[from])
	}
	if g.Chance(25) {
		object, from = was.walk(g, object, from)
	}
	if len(versions) > 2 {
		g.Seen.Count("law/L7 with three versions")
	}
	where := false
	rows.Each(s.Table, func(r *v1alpha1.Row) { where = where || len(r.Where) > 0 })
	if where {
		g.Seen.Count("law/L7 with where")
	}
	var out []Case
	for _, served := range []bool{false, true} {
		stored := other(from, both)
		c := Case{Law: Evolved, Object: object.Append(nil), From: from, Through: []string{stored, other(stored, both)}, Served: served}
		if g.Chance(60) && slices.Contains(both, from) {
			c.Through[1] = from
		}
		if g.Chance(30) {
			if edited, ok := was.editCase(g, c.Object, from, stored, from, served); ok {
				c.Edits = edited.Edits
			}
		}
		g.Seen.Count("law/" + string(c.Law))
		out = append(out, c)
	}
	return out
}
