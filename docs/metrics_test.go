package docs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// operations.md lists every metric that there is, and no other; those of injection are in
// injection.md.
func TestMetricsAreListed(t *testing.T) {
	defined := map[string]bool{}
	for _, source := range goSources(t, "../webhook", "../cmd", "../internal/manage") {
		if filepath.Dir(source) != "../internal/manage/injection" {
			collect(t, source, regexp.MustCompile(`"(crosswalk_[a-z_]+)"`), defined)
		}
	}
	listed := map[string]bool{}
	collect(t, "operations.md", regexp.MustCompile("`(crosswalk_[a-z_]+)`"), listed)
	want := slices.Sorted(maps.Keys(defined))
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) || len(want) < 20 {
		t.Errorf("operations.md lists\n%q\nthere are\n%q", got, want)
	}
}

// goSources are the files of Go in some folders, without tests.
func goSources(t *testing.T, folders ...string) []string {
	t.Helper()
	var sources []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				sources = append(sources, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sources
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
