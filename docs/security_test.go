package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tests that security.md names exist, and every attack has one, unless the page calls it
// out of scope.
func TestSecurityNamesTests(t *testing.T) {
	link := regexp.MustCompile("\\[`([A-Za-z]+)(?:/([^`]+))?`\\]\\(([^)]+)\\)")
	heading, attacks := "", 0
	for line := range strings.Lines(string(readPage(t, "docs/security.md"))) {
		if name, is := strings.CutPrefix(line, "## "); is {
			heading = strings.TrimSpace(name)
		}
		named := link.FindAllStringSubmatch(line, -1)
		for _, match := range named {
			if name := missing(t, filepath.Join("..", "docs", match[3]), match[1], match[2]); name != "" {
				t.Errorf("%s is not in %s", name, match[3])
			}
		}
		cells := strings.Split(strings.Trim(line, "|\n "), "|")
		if !slices.Contains([]string{"The threat model for admission control", "Published vulnerabilities of such servers", "Attacks on Crosswalk itself"}, heading) ||
			!strings.HasPrefix(line, "| ") || strings.Contains(cells[len(cells)-1], "tested by") {
			continue
		}
		attacks++
		if len(named) == 0 && !strings.Contains(line, "| Outside of ") {
			t.Errorf("no test covers this:\n%s", line)
		}
	}
	if attacks < 40 {
		t.Errorf("only %d attacks", attacks)
	}
}

// missing returns which of the names of a function and of a part of it the tests of a folder
// do not have, or "".
func missing(t *testing.T, folder, function, part string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", folder, err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	if !regexp.MustCompile(`func (\([^)]*\) )?` + function + `\(`).MatchString(all.String()) {
		return function
	}
	if part != "" && !strings.Contains(all.String(), `"`+part+`"`) {
		return part
	}
	return ""
}
