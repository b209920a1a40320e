package verify

import (
	"math/rand/v2"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Cases generates an object of a random version, and returns a case of every law that it can test.
// After [Subject.After] all cases are of L7. Seen counts the classes of input; it may be nil.
//
// Cases converts the object if a case has edits or damage, which depend on the result.
func (s *Subject) Cases(r *rand.Rand, seen *Coverage) []Case {
	g := &generator{draw.Generator{Rand: r, Seen: seen, Hints: s.hints}}
	if s.earlier != nil {
		return s.evolutionCases(g)
	}
	versions := s.Versions()
	from := versions[r.IntN(len(versions))]
	object := g.resource(s, from)
	if g.Chance(35) {
		object = coerce(g.fragment(s, object), s.schemas[from])
	}
	if g.Chance(30) {
		object, from = s.walk(g, object, from)
	}
	return s.casesOf(g, object, from)
}

// another returns a version at random, other than the given one.
func (g *generator) another(s *Subject, than string) string {
	for versions := s.Versions(); ; {
		if v := versions[g.Rand.IntN(len(versions))]; v != than {
			return v
		}
	}
}

// casesOf returns a case of every law for an object of a version.
func (s *Subject) casesOf(g *generator, object *tree.Value, from string) []Case {
	r, seen, versions := g.Rand, g.Seen, s.Versions()
	other := func(than string) string { return g.another(s, than) }
	text := g.spaced(object)
	to := other(from)
	var out []Case
	for _, served := range []bool{false, true} {
		out = append(out,
			Case{Law: RoundTrip, Object: text, From: from, Through: []string{to}, Served: served},
			Case{Law: Stable, Object: text, From: from, Through: []string{to}, Served: served},
		)
		if len(versions) > 2 {
			tour := []string{to}
			for range 1 + r.IntN(3) {
				tour = append(tour, other(tour[len(tour)-1]))
			}
			if tour[len(tour)-1] == from {
				tour = tour[:len(tour)-1]
			}
			out = append(out, Case{Law: RoundTrip, Object: text, From: from, Through: tour, Served: served})
		}
		if c, ok := s.editCase(g, text, from, to, other(to), served); ok {
			out = append(out, c)
			if c.Law = Seen; slices.Contains(c.Through, s.Table.Spec.Hub) {
				out = append(out, c)
			}
			if c.Law = Guarded; to != from {
				guarded := c
				guarded.Through = []string{to}
				out = append(out, guarded)
			}
			if c.Law = Kept; to != from {
				c.Through = []string{to}
				out = append(out, c)
			}
		}
	}
	out = append(out, Case{Law: Native, Object: text, From: from, Through: []string{to}})
	if len(versions) > 2 {
		out = append(out,
			Case{Law: Coherent, Object: text, From: from, Through: []string{to}},
			Case{Law: Coherent, Object: text, From: from, Through: []string{to, other(to)}},
		)
	}
	out = append(out, s.forgedCase(object, text, from, to, seen)...)
	hostile := g.hostile(s, object)
	out = append(out, Case{Law: Total, Object: hostile.Append(nil), From: from, Through: []string{to, from}})
	for _, c := range out {
		seen.Count("law/" + string(c.Law))
		if c.Damage != nil {
			seen.Count("stash/" + c.Damage.Kind)
		}
		if c.Served {
			seen.Count("law/" + string(c.Law) + " through the API server")
		}
	}
	return out
}

// walk converts the object to some versions and edits it on the way, so that its stashes are partly
// out of date.
func (s *Subject) walk(g *generator, object *tree.Value, from string) (*tree.Value, string) {
	g.Seen.Count("object/with a history")
	t := s.start(Case{Object: object.Append(nil), From: from, Served: g.Chance(50)})
	for range 1 + g.Rand.IntN(4) {
		t.to(g.another(s, t.version))
		if t.broken != "" {
			return object, from
		}
		if g.Chance(60) {
			t.edit(g.edits(s, t.version, t.value))
		}
	}
	return t.value, t.version
}

// editCase returns a case with edits. It converts the object to the view that the edits are for.
func (s *Subject) editCase(g *generator, object []byte, from, view, through string, served bool) (Case, bool) {
	c := Case{Law: LiveWins, Object: object, From: from, Through: []string{view, through}, Served: served}
	t := s.start(c).to(view)
	if t.broken != "" {
		return c, false
	}
	c.Edits = g.edits(s, view, t.value)
	return c, true
}

// spaced returns the text of an object, sometimes with white space and needless escapes.
func (g *generator) spaced(v *tree.Value) []byte {
	text := v.Append(nil)
	if !g.Chance(15) {
		return text
	}
	g.Seen.Count("object/spaced")
	var out []byte
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			out = append(out, c, text[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case inString && (c == 'a' || c == '/') && g.Chance(20):
			out = append(out, []string{`\u0061`, `\/`}[map[byte]int{'a': 0, '/': 1}[c]]...)
			continue
		case !inString && (c == ',' || c == ':' || c == '{' || c == ']'):
			if g.Chance(50) {
				out = append(out, " \t\n"[g.Rand.IntN(3)])
			}
		}
		out = append(out, c)
	}
	return append(out, '\n')
}
