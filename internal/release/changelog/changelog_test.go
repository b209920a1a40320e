package changelog

import (
	"os"
	"strings"
	"testing"
	"time"
)

const before = `# Changelog

What changes.

## [Unreleased]

### Added

- Tables that
  [hold](docs/a.md) everything.

## [0.1.0] - 2026-10-01

### Added

- Everything.

[Unreleased]: https://github.com/crosswalk-dev/crosswalk/compare/v0.1.0...HEAD
[0.1.0]: https://github.com/crosswalk-dev/crosswalk/releases/tag/v0.1.0
`

const after = `# Changelog

What changes.

## [Unreleased]

## [0.2.0] - 2026-11-26

### Added

- Tables that
  [hold](docs/a.md) everything.

## [0.1.0] - 2026-10-01

### Added

- Everything.

[Unreleased]: https://github.com/crosswalk-dev/crosswalk/compare/v0.2.0...HEAD
[0.2.0]: https://github.com/crosswalk-dev/crosswalk/releases/tag/v0.2.0
[0.1.0]: https://github.com/crosswalk-dev/crosswalk/releases/tag/v0.1.0
`

var day = time.Date(2026, 11, 26, 23, 59, 0, 0, time.UTC)

func TestRelease(t *testing.T) {
	got, err := Release(before, "v0.2.0", day)
	if err != nil || got != after {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, after)
	}
	if got, err := Release(after, "v0.2.0", day.AddDate(0, 0, 1)); err != nil || got != after {
		t.Errorf("a second time: got %v\n%s\nwant\n%s", err, got, after)
	}
	for changelog, want := range map[string]string{
		after: "CHANGELOG.md has nothing under [Unreleased]: what does v0.3.0 change for users?",
		"## [Unreleased]\n\n- Tables.\n": "CHANGELOG.md has no link for [Unreleased]: " +
			"add the line [Unreleased]: https://github.com/crosswalk-dev/crosswalk/commits/main at the end",
	} {
		if _, err := Release(changelog, "v0.3.0", day); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestSection(t *testing.T) {
	for version, want := range map[string]string{
		Unreleased: "",
		"v0.2.0":   "### Added\n\n- Tables that\n  [hold](docs/a.md) everything.",
		"v0.1.0":   "### Added\n\n- Everything.",
		"v0.1":     "",
		"v0.3.0":   "",
	} {
		if got := Section(after, version); got != want {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
}

// TestOfTheRepository expects a changelog that the next version can be made of.
func TestOfTheRepository(t *testing.T) {
	changelog, err := os.ReadFile("../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	unreleased := "- Something."
	if Section(string(changelog), Unreleased) != "" {
		unreleased = ""
	}
	ready := strings.Replace(string(changelog), "## [Unreleased]\n", "## [Unreleased]\n"+unreleased, 1)
	released, err := Release(ready, "v99.0.0", day)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Section(released, "v99.0.0"), Section(ready, Unreleased); got != want || got == "" {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnwrap(t *testing.T) {
	for markdown, want := range map[string]string{
		"- Tables that\n  [hold](docs/a.md)\n  everything.\n- `More`\n  of it.": "- Tables that [hold](docs/a.md) everything.\n- `More` of it.",
		"### Added\n\nTwo\nlines.\n\nA paragraph.\n| a | b |\n|---|---|":        "### Added\n\nTwo lines.\n\nA paragraph.\n| a | b |\n|---|---|",
		"- Run\n  this:\n\n  ```console\n  $ one\n  two\n  ```\n  and\n  more":  "- Run this:\n\n  ```console\n  $ one\n  two\n  ```\n  and more",
		"- One\n  - below it\n  in two lines":                                   "- One\n  - below it in two lines",
	} {
		if got := Unwrap(markdown); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
