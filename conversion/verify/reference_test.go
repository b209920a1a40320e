package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/reference"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// TestReference compares the engine with the naive converter, on objects that
// carry no stash: each place of the target holds what the table says.
func TestReference(t *testing.T) {
	compared, unclear := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(4, seed))
		crd, table := (&weave.Tables{Rand: r}).Generate()
		s, err := NewSubject(crd, table, Compile)
		if err != nil {
			t.Fatal(err)
		}
		ref := reference.New(crd, expanded(table), places.Parse)
		for range 5 {
			versions := s.Versions()
			from := versions[r.IntN(len(versions))]
			to := table.Spec.Hub
			if from == to {
				to = versions[r.IntN(len(versions))]
			}
			if from == to {
				continue
			}
			g := &generator{draw.Generator{Rand: r, Hints: s.hints}}
			object := withDefaults(g.resource(s, from), s.schemas[from])
			if g.Chance(40) {
				object = withDefaults(coerce(g.fragment(s, object), s.schemas[from]), s.schemas[from])
			}
			want, comeAndGo, clear := ref.Convert(object, from, to)
			if !clear {
				unclear++
				continue
			}
			compared++
			c := Case{Object: object.Append(nil), From: from, Through: []string{to}}
			trip := s.start(c).to(to)
			if trip.broken != "" {
				t.Fatalf("seed %d: %s", seed, trip.counterexample(c, trip.broken, nil))
			}
			if diff := trip.differsFrom(want, comeAndGo); len(diff) > 0 {
				t.Errorf("seed %d: %s", seed, trip.counterexample(c, "differs from the reference", diff).Markdown())
				if t.Failed() {
					return
				}
			}
		}
	}
	if unclear*20 > compared {
		t.Errorf("the reference had no opinion on %d of %d", unclear, compared+unclear)
	}
	t.Log(fmt.Sprint(compared, " compared"))
}

// differsFrom compares what a trip gave with what a table says. Empty objects that may
// come and go need not be there.
func (t *trip) differsFrom(want *tree.Value, comeAndGo []tree.Path) []tree.Difference {
	same := func(v *tree.Value) *tree.Value { return t.s.comparable(v, t.version, nil) }
	return slices.DeleteFunc(tree.Diff(same(want), same(t.value)), func(d tree.Difference) bool {
		return d.Right == nil && slices.ContainsFunc(comeAndGo, func(p tree.Path) bool { return slices.Equal(p, d.Path) })
	})
}
