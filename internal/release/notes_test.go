package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNotes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "CHANGELOG.md"), []byte(`# Changelog

## [Unreleased]

- Something
  [new](docs/new.md).

## [1.2.3] - 2026-11-26

- Something old.
`))
	for version, want := range map[string]notes{
		"v1.2.3": {"v1.2.3", "- Something old.", false},
		"v1.3.0": {"v1.3.0", "- Something [new](https://github.com/crosswalk-dev/crosswalk/blob/v1.3.0/docs/new.md).", true},
	} {
		got, err := readNotes(dir, version)
		if err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		if page, err := got.markdown(builtImage{}, "oci://registry.example.com/charts"); err != nil || !strings.HasPrefix(string(page), want.changes+"\n\n### Installing\n") ||
			!strings.Contains(string(page), "$ helm install crosswalk oci://registry.example.com/charts/crosswalk --version "+version[1:]+" ") {
			t.Errorf("the page is\n%s\n%v", page, err)
		}
	}
	write(t, filepath.Join(dir, "CHANGELOG.md"), []byte("# Changelog\n\n## [Unreleased]\n"))
	want := notes{"v1.2.3", "Nothing has changed for users.", true}
	if got, err := readNotes(dir, "v1.2.3"); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
