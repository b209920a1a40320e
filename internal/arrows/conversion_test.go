package arrows

import (
	"slices"
	"strings"
	"testing"
)

// inConversion maps every package inside of the room conversion to the others there that it imports,
// tests aside. A way (engine) knows nothing of what makes it lossless (complement), and the oracle
// (reference) nothing of either.
func inConversion() map[string]string {
	return map[string]string{
		// Syntax and values.
		"internal/caller":     "",
		"internal/decimal":    "",
		"internal/path":       "",
		"internal/schema":     "internal/caller",
		"internal/expression": "internal/path internal/schema",
		"internal/stash":      "internal/path internal/schema",
		"internal/explain":    "",
		// Rows become a plan, and a plan converts.
		"internal/plan":       "internal/expression internal/path internal/schema",
		"internal/diagnose":   "internal/path internal/plan internal/schema",
		"internal/mapping":    "internal/decimal internal/diagnose internal/expression internal/plan internal/schema",
		"internal/compile":    "internal/decimal internal/diagnose internal/expression internal/mapping internal/path internal/plan internal/schema",
		"internal/way":        "internal/explain internal/plan",
		"internal/engine":     "internal/caller internal/explain internal/expression internal/path internal/plan internal/schema internal/stash internal/way",
		"internal/complement": "internal/caller internal/explain internal/expression internal/path internal/plan internal/schema internal/stash internal/way",
		// Stashes in writes.
		"internal/managed": "internal/stash",
		"internal/object":  "internal/stash",
		"internal/writes":  "internal/managed internal/object internal/stash",
		// What others import.
		"":      "internal/caller internal/compile internal/complement internal/diagnose internal/engine internal/explain internal/mapping internal/object internal/plan internal/schema internal/stash internal/way internal/writes",
		"typed": ". internal/caller internal/complement internal/explain internal/object internal/path internal/plan internal/schema internal/stash internal/way internal/writes",
		// What judges all of that.
		"verify/internal/tree":      "",
		"verify/internal/draw":      "verify/internal/tree",
		"verify/internal/places":    "verify/internal/tree",
		"verify/internal/reference": "verify/internal/places verify/internal/tree",
		"verify/internal/weave":     ". verify/internal/draw verify/internal/places verify/internal/tree",
		"verify/internal/hints":     "verify/internal/tree",
		"verify/internal/rows":      "",
		"verify/internal/evolve":    "verify/internal/draw verify/internal/places verify/internal/rows verify/internal/tree verify/internal/weave",
		"verify/internal/cost":      ". internal/stash verify/internal/weave",
		"verify":                    ". internal/stash verify/internal/draw verify/internal/hints verify/internal/places verify/internal/rows verify/internal/tree",
		// What only make prove runs. It knows the engine by its public API alone.
		"verify/internal/proof": ". verify verify/internal/cost verify/internal/draw verify/internal/evolve verify/internal/weave",
		"verify/internal/prove": "verify verify/internal/cost verify/internal/proof",
	}
}

func TestArrowsInConversion(t *testing.T) {
	const room = "conversion"
	for _, p := range list(t) {
		if !within(p.name, room) {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.name, room), "/")
		listed, ok := inConversion()[name]
		if !ok {
			t.Errorf("%s is not in this test", p.name)
			continue
		}
		may, used := strings.Fields(listed), map[string]bool{}
		for _, imported := range p.imports {
			short, ours := strings.CutPrefix(imported, module)
			if !ours || !within(short, room) {
				continue
			}
			to := strings.TrimPrefix(strings.TrimPrefix(short, room), "/")
			if to == "" {
				to = "."
			}
			if used[to] = true; !slices.Contains(may, to) {
				t.Errorf("%s imports %s: the arrows do not point that way", p.name, short)
			}
		}
		for _, to := range may {
			if !used[to] {
				t.Errorf("%s does not import %s/%s any more: remove the arrow", p.name, room, to)
			}
		}
	}
}
