package verify

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// forgedCases returns a case for each of these kinds of damage, if a view of the object has
// something to damage.
func (s *Subject) forgedCases(g *generator, object *tree.Value, from, view string, kinds ...string) (out []Case) {
	c := Case{Law: Forged, Object: object.Append(nil), From: from, Through: []string{view}, Served: g.Chance(30)}
	t := s.start(c).to(view)
	stashes := stashesOf(t.value)
	if t.broken != "" || view == from || len(stashes) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(stashes))
	var values []*tree.Value
	object.Walk(func(p tree.Path, v *tree.Value) {
		if len(p) > 0 {
			values = append(values, v)
		}
	})
	for _, kind := range kinds {
		name := names[g.Rand.IntN(len(names))]
		c.Damage = g.damage(kind, stashes, name, values)
		if kind == "stale" {
			c.Damage.With = s.stale(g, name, view, c.Served)
		}
		if _, ok := c.Damage.apply(stashes[name]); ok {
			out = append(out, c)
		}
	}
	return out
}

// forgedCase returns at most one case. It depends on the object alone, so that it does not change
// the random choices for other laws.
func (s *Subject) forgedCase(object *tree.Value, text []byte, from, view string, seen *draw.Coverage) []Case {
	hash := fnv.New64a()
	hash.Write(text)
	g := &generator{draw.Generator{Rand: rand.New(rand.NewPCG(hash.Sum64(), 1)), Seen: seen, Hints: s.hints}}
	kinds := slices.Sorted(maps.Keys(damages()))
	g.Rand.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	cases := s.forgedCases(g, object, from, view, kinds[:3]...)
	return cases[:min(len(cases), 1)]
}

// stale returns the stash that a view of another object has, or "".
func (s *Subject) stale(g *generator, name, view string, served bool) string {
	owner, _ := stash.Owner([]byte(name))
	t := s.start(Case{Object: g.resource(s, string(owner)).Append(nil), From: string(owner), Served: served}).to(view)
	return stashesOf(t.value)[name]
}
