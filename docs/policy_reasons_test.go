package docs

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// registration.md lists every reason that a policy can have for not being ready, and no
// other.
func TestPolicyReasonsAreListed(t *testing.T) {
	given := map[string]bool{}
	for _, folder := range []string{"../internal/manage/reach", "../internal/manage/webhooks", "../internal/manage/policies"} {
		sources, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			if !strings.HasSuffix(source, "_test.go") {
				collect(t, source, regexp.MustCompile(`(?:[oO]bstacle\{(?:Reason: )?|\bno\(|unknown: true, reason: )"(\w+)"`), given)
			}
		}
	}
	listed := map[string]bool{}
	_, section, found := strings.Cut(string(readPage(t, "docs/registration.md")), "\n## Policies\n")
	if !found {
		t.Fatal("registration.md has no section Policies")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range regexp.MustCompile(`(?m)^\| [^|]*\| (.*?) \|`).FindAllStringSubmatch(section, -1) {
		for _, reason := range regexp.MustCompile("`([A-Z]\\w+)`").FindAllStringSubmatch(line[1], -1) {
			listed[reason[1]] = true
		}
	}
	want := slices.Sorted(maps.Keys(given))
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) || len(want) < 6 {
		t.Errorf("registration.md lists\n%q\nthere are\n%q", got, want)
	}
}
