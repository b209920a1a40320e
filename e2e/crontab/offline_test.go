package crontab

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestObjectsAreEachOther converts the example's files with the program itself:
// the file of each version is exactly the other, converted.
func TestObjectsAreEachOther(t *testing.T) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	example := filepath.Join(programs.Root, "examples", "crontab")
	file := func(version string) string { return filepath.Join(example, "objects", version+".yaml") }
	for i, from := range versions {
		to := versions[1-i]
		want, err := os.ReadFile(file(to))
		if err != nil {
			t.Fatal(err)
		}
		got, err := exec.CommandContext(t.Context(), programs.Crosswalk,
			"convert", "--config", example, "--to", to, "-f", file(from)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s to %s: got\n%s\nwant\n%s", from, to, got, want)
		}
	}
}
