package conversion_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// nested is a tree of routes in routes, each with something that only its version has.
func nested(depth, bytes int) string {
	text := `{"to":"a"}`
	for i := range depth {
		text = fmt.Sprintf(`{"to":"a","rp":"%s%d","routes":[%s]}`, strings.Repeat("x", bytes/depth), i, text)
	}
	return thing("v1beta1", `"spec":{"route":`+text+`}`)
}

// TestDeepLists: elements without a key are told apart by all that is in them, so that
// each list in a list is read once more. What is kept further in than 64 such lists is left
// out for that, named and counted, and the work grows with the object alone.
func TestDeepLists(t *testing.T) {
	unraced(t)
	c, err := tabled(t, spec("route: "+nestedRoutes("to", "routes", 1, true)), spec("tree: "+nestedRoutes("receiver", "children", 1, true)),
		`tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .rp}, {spoke: .routes, hub: .children, each: {table: route}}]}, rows: [{spoke: .spec.route, hub: .spec.tree, table: route}]`)
	if err != nil {
		t.Fatal(err)
	}
	if old := nested(50, 1000); !sameJSON(t, convert(t, c, convert(t, c, old, "v1"), "v1beta1"), old) {
		t.Error("50 levels do not come back")
	}
	took := map[int]time.Duration{}
	for _, depth := range []int{300, 3000} {
		old := nested(depth, 100<<10)
		var notes conversion.Notes
		var now []byte
		var err error
		took[depth] = cputime.Least(3, func() {
			notes = conversion.Notes{}
			now, err = c.ConvertNoting(t.Context(), nil, []byte(old), "v1", &notes)
		})
		if err != nil {
			t.Fatal(err)
		}
		annotations := decoded(t, string(now)).(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
		mark, _ := annotations["crosswalk.dev/incomplete"].(string)
		if kept := strings.Count(annotations["stash.crosswalk.dev/v1beta1"].(string), `"value"`); kept < 50 || kept > 65 || kept+notes.LeftOut != depth {
			t.Errorf("%d levels: kept %d, left out %d", depth, kept, notes.LeftOut)
		}
		if !strings.HasPrefix(mark, "v1beta1: ") || !strings.HasSuffix(mark, " more") {
			t.Errorf("%d levels: marked %q", depth, mark)
		}
		back := convert(t, c, string(now), "v1beta1")
		if strings.Count(back, `"to"`) != depth+1 {
			t.Errorf("%d levels: not all come back", depth)
		}
	}
	// Without a limit it is some 200 times as long, for ten times as many elements.
	if took[3000] > 30*took[300] {
		t.Errorf("300 levels take %v, 3000 levels of as many bytes %v", took[300], took[3000])
	}
}
