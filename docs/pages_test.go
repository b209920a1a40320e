// Package docs holds the pages of the documentation, and the tests that run
// every block on them.
package docs

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// noSleep spares every program built with the race detector the second that it
// waits at its end for other threads' races.
const noSleep = "GORACE=atexit_sleep_ms=0"

// TestPages runs what README.md and the pages here show, with the real program.
func TestPages(t *testing.T) {
	folder := t.TempDir()
	build(t, folder)
	t.Run("console", func(t *testing.T) { testConsole(t, folder) })
	t.Run("tables", func(t *testing.T) { testTables(t, filepath.Join(folder, "crosswalk")) })
}

// build compiles crosswalk, and the examples of one with Go code, as this test
// was compiled, with the race detector or without, so that no package is compiled for
// it alone.
func build(t *testing.T, folder string) {
	t.Helper()
	noteSources(t)
	args := []string{"build", "-o", folder}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "-race" && setting.Value == "true" {
				args = append(args, "-race")
			}
		}
	}
	command := exec.Command("go", append(args, "./cmd/crosswalk", "./examples/go/notes-crosswalk", "./examples/go/letters-crosswalk")...)
	command.Dir = ".."
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, text)
	}
}

// noteSources looks at every file that the commands are made of or read. The go
// command caches the result of a test by the files that the test itself looks
// at, not by those that its children do.
func noteSources(t *testing.T) {
	t.Helper()
	for _, folder := range []string{"api", "cmd", "conversion", "examples", "internal", "validation", "webhook", "certs", "Makefile", "go.mod"} {
		if err := filepath.WalkDir(filepath.Join("..", folder), func(string, fs.DirEntry, error) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
}
