package systems

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// noSleep spares a program that is built with the race detector the second that it
// waits at its end for other threads' races.
const noSleep = "GORACE=atexit_sleep_ms=0"

// testFiles converts the example's files with the program itself: the file of each
// version is the same objects as the file of every other.
func testFiles(t *testing.T, programs harness.Programs, e *example) {
	file := func(version string) string { return filepath.Join(e.dir, "objects", version+".yaml") }
	for _, from := range e.versions() {
		for _, to := range e.others(from) {
			convert := exec.CommandContext(t.Context(), programs.Crosswalk, "convert", "--config", e.dir, "--to", to, "-f", file(from))
			convert.Env = append(os.Environ(), noSleep)
			got, err := convert.Output()
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file(to))
			if err != nil {
				t.Fatal(err)
			}
			if diff := exact.Diff(documents(t, got), documents(t, want)); diff != "" {
				t.Errorf("%s to %s:\n%s", from, to, diff)
			}
		}
	}
}

// documents decodes every document of a file.
func documents(t *testing.T, file []byte) exact.Value {
	t.Helper()
	var all []any
	for _, text := range bytes.Split(file, []byte("\n---\n")) {
		data, err := yaml.YAMLToJSONStrict(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, check.Decode(t, data))
	}
	return all
}
