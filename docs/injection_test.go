package docs

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// injection.md lists every Event and every metric that there is, and no other.
func TestInjectionIsListed(t *testing.T) {
	var sources []string
	for _, folder := range []string{"../internal/manage/injection/*.go", "../certs/inject/*.go"} {
		found, err := filepath.Glob(folder)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, found...)
	}
	defined, listed := map[string]bool{}, map[string]bool{}
	for _, source := range sources {
		if !strings.HasSuffix(source, "_test.go") {
			collect(t, source, regexp.MustCompile(`(?m)^\t[rR]eason\w+ += "(\w+)"$`), defined)
			collect(t, source, regexp.MustCompile(`"(crosswalk_[a-z_]+)"`), defined)
		}
	}
	collect(t, "injection.md", regexp.MustCompile("(?m)^\\| `(\\w+)` \\|"), listed)
	want := slices.Sorted(maps.Keys(defined))
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("injection.md lists\n%q\nthere are\n%q", got, want)
	}
}
