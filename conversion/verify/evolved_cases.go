package verify

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/evolve"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
)

// evolution makes of a table another one that was there before, or came after, and returns the later
// with the earlier attached. It returns nil if no change compiles.
func (g *generator) evolution(s *Subject, compile CompileFunc) *Subject {
	var other *Subject
	order := evolve.Change(&g.Generator, s.CRD, s.Table, func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
		made, err := NewSubject(crd, table, compile)
		other = made
		return err == nil
	})
	earlier, later := s, other
	switch order {
	case evolve.None:
		return nil
	case evolve.Earlier:
		earlier, later = other, s
	}
	out := *later
	out.After(earlier)
	return &out
}

// evolutionCases are cases of L7 for one object.
func (s *Subject) evolutionCases(g *generator) []Case {
	was := s.earlier
	g.Hints = was.hints
	versions := was.Versions()
	from := versions[g.Rand.IntN(len(versions))]
	// What is stored, and looked at, is in versions that are still there.
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
		out = append(out, c)
	}
	return out
}
