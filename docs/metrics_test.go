package docs

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// operations.md lists every metric that there is, and no other.
func TestMetricsAreListed(t *testing.T) {
	sources, err := filepath.Glob("../webhook/*.go")
	if err != nil {
		t.Fatal(err)
	}
	defined := map[string]bool{}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		collect(t, source, regexp.MustCompile(`"(crosswalk_[a-z_]+)"`), defined)
	}
	listed := map[string]bool{}
	collect(t, "operations.md", regexp.MustCompile("`(crosswalk_[a-z_]+)`"), listed)
	want := slices.Sorted(maps.Keys(defined))
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("operations.md lists\n%q\nthere are\n%q", got, want)
	}
}

func collect(t *testing.T, file string, name *regexp.Regexp, into map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range name.FindAllSubmatch(text, -1) {
		into[string(match[1])] = true
	}
}
