package proof

import (
	"strconv"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// fewer is a 24th of n under -short, which is for the race detector: with it a case takes six times
// as long, and it looks for other mistakes.
func fewer(n int) int {
	if testing.Short() {
		return max(n/24, 1)
	}
	return n
}

// TestLaws judges the engine by generated tables and objects, in a form that takes seconds. `make
// prove` takes as long as you like.
func TestLaws(t *testing.T) {
	const shards = 2
	reports := make([]*Report, shards)
	t.Run("shards", func(t *testing.T) {
		for i := range shards {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				r := Run(t.Context(), Compile, Options{Seed: uint64(shards + i), Tables: fewer(200) / shards, Objects: 5})
				reports[i] = r
				for _, found := range r.Found {
					t.Error(found.Markdown())
				}
				for reason, n := range r.Refusals {
					t.Errorf("%d generated tables were refused: %s", n, reason)
				}
			})
		}
	})
	var seen verify.Coverage
	cases := 0
	for _, r := range reports {
		seen.Add(&r.Seen)
		cases += r.Cases
	}
	t.Logf("%d cases\n%s", cases, &seen)
	if missing := seen.Missing(classes); len(missing) > 0 && !t.Failed() && !testing.Short() {
		t.Errorf("these classes of input were not generated: %q", missing)
	}
}
