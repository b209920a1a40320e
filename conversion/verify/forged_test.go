package verify

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// TestForged damages and forges four thousand stashes that conversions have written,
// by tables of all mappings: no conversion fails, and nothing changes but where an
// entry says so that belongs there.
func TestForged(t *testing.T) {
	t.Parallel()
	var seen draw.Coverage
	kinds := slices.Sorted(maps.Keys(damages()))
	cases, want := 0, fewer(4_000)
	for seed := uint64(0); cases < want; seed++ {
		r := rand.New(rand.NewPCG(12, seed))
		crd, table := (&weave.Tables{Rand: r, Seen: &seen, Functions: true}).Generate()
		s, err := NewSubject(crd, table, compileWithFunctions)
		if err != nil {
			t.Fatal(err)
		}
		g := &generator{draw.Generator{Rand: r, Hints: s.hints}}
		for _, from := range s.Versions() {
			object := g.resource(s, from)
			if g.Chance(35) {
				object = coerce(g.fragment(s, object), s.schemas[from])
			}
			for _, c := range s.forgedCases(g, object, from, g.another(s, from), kinds...) {
				f := s.forge(c)
				if found := f.check(c); found != nil {
					t.Fatalf("seed %d: %s", seed, Shrink(t.Context(), found, compileWithFunctions).Markdown())
				}
				cases++
				seen.Count("stash/" + c.Damage.Kind)
				seen.Count("outcome/" + f.outcome())
			}
		}
	}
	t.Logf("%d cases\n%s", cases, &seen)
	must := []string{"outcome/it is no stash", "outcome/nothing changes", "outcome/an address is right", "outcome/a guard matches"}
	for kind := range damages() {
		must = append(must, "stash/"+kind)
	}
	if !testing.Short() {
		must = append(must, "table/renamed", "table/constant", "table/crosses to an annotation", "table/drop", "table/each by key", "table/each by content", "table/each whole element",
			"table/map each", "table/named within itself", "table/template of a spoke", "table/join", "table/values closed", "table/scalar: duration", "table/boolean: presence",
			"table/variant with a value", "table/single", "table/wrap", "table/keyed", "table/entries", "table/where of the hub", "table/where of the spoke", "table/text of an object",
			"table/cel several places", "table/func", "table/private to a spoke", "table/private to the hub", "table/three versions or more", "table/open in one version")
	}
	if missing := seen.Missing(must); len(missing) > 0 {
		t.Errorf("these were not made: %q", missing)
	}
}

// outcome says what came of the damage.
func (f *forgery) outcome() string {
	diff := f.differs()
	switch {
	case !f.real:
		return "it is no stash"
	case len(diff) == 0:
		return "nothing changes"
	}
	for _, e := range f.changed {
		if f.explains(e, diff[0]) && e.Get("guard") != nil {
			return "a guard matches"
		}
	}
	return "an address is right"
}
