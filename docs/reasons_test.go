package docs

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cluster.md lists every reason that a condition can have for not being as it
// should, and no other.
func TestReasonsAreListed(t *testing.T) {
	given := map[string]bool{}
	for _, folder := range []string{"../internal/cluster", "../internal/manage", "../internal/manage/arming", "../internal/manage/authority", "../internal/manage/reach", "../internal/manage/registration"} {
		sources, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			collect(t, source, regexp.MustCompile(`Reason[A-Z]\w+ += "(\w+)"`), given)
			collect(t, source, regexp.MustCompile(`(?:[oO]bstacle\{(?:Reason: )?|\byes\(|\bno\(|\b(?:failed|notArmed) = )"(\w+)"`), given)
		}
	}
	// The conditions' good states speak for themselves.
	for _, good := range []string{"Compiled", "Armed", "Ready", "Guarded", "Placed", "Renewable"} {
		delete(given, good)
	}
	listed := map[string]bool{}
	collect(t, "cluster.md", regexp.MustCompile("\\| `([A-Z]\\w+)` \\|"), listed)
	want := slices.Sorted(maps.Keys(given))
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("cluster.md lists\n%q\nthere are\n%q", got, want)
	}
}
