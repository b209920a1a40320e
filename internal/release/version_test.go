package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

func TestVersion(t *testing.T) {
	dir := t.TempDir()
	for _, file := range append(version.Files(), "CHANGELOG.md") {
		write(t, filepath.Join(dir, file), []byte(read(t, filepath.Join(root, file))))
	}
	path := filepath.Join(dir, "CHANGELOG.md")
	write(t, path, []byte(strings.Replace(read(t, path), "## [Unreleased]\n", "## [Unreleased]\n\n- A line.\n", 1)))
	day := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

	expect := func(to string) string {
		t.Helper()
		if err := (versionOptions{root: dir, version: to}).run(day); err != nil {
			t.Fatal(err)
		}
		if got, err := version.Of(dir); got != to || err != nil {
			t.Errorf("the version is %s, %v, want %s", got, err, to)
		}
		return read(t, path)
	}
	released := expect("v98.0.0")
	if want := "\n## [98.0.0] - 2026-11-26\n\n- A line.\n"; !strings.Contains(released, want) {
		t.Errorf("the changelog has no %q:\n%s", want, released)
	}
	day = day.AddDate(0, 0, 1)
	if again := expect("v98.0.0"); again != released {
		t.Errorf("a second time changes the changelog:\n%s", again)
	}
	if between := expect("v98.1.0-dev"); between != released {
		t.Errorf("a version that is not released is in the changelog:\n%s", between)
	}
	for to, want := range map[string]string{
		"latest":  `--version: "latest" is not a version such as v1.2.3 or v1.2.3-rc.1`,
		"v98.1.0": "CHANGELOG.md has nothing under [Unreleased]: what does v98.1.0 change for users?",
	} {
		if err := (versionOptions{root: dir, version: to}).run(day); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got, err := version.Of(dir); got != "v98.1.0-dev" || err != nil {
		t.Errorf("after an error the version is %s, %v", got, err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
