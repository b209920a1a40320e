// Package changelog reads and writes CHANGELOG.md, which has the format of
// https://keepachangelog.com/en/1.1.0/: a section for each version, the newest first, and
// before them one for what is not released.
package changelog

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/release/links"
)

// Unreleased is the name of the section for what is not released.
const Unreleased = "Unreleased"

// Section returns the section of version, as v1.2.3, or Unreleased, without its heading.
// It is "" if there is none or nothing in it.
func Section(changelog, version string) string {
	var section strings.Builder
	within := false
	for line := range strings.Lines(changelog) {
		switch {
		case strings.HasPrefix(line, "## "):
			within = strings.HasPrefix(line, "## ["+name(version)+"]")
		case within && !definition.MatchString(line):
			section.WriteString(line)
		}
	}
	return strings.TrimSpace(section.String())
}

var (
	// definition says where a heading leads, as in "[1.2.3]: https://example.com".
	definition = regexp.MustCompile(`^\[[^\]]+\]: `)
	// unreleased are the lines that change when a version is released.
	unreleasedHeading    = regexp.MustCompile(`(?m)^## \[Unreleased\]$`)
	unreleasedDefinition = regexp.MustCompile(`(?m)^\[Unreleased\]: .*$`)
)

// Release returns changelog with what was unreleased as the section of version, of the
// day date. A changelog that has the section already stays as it is.
func Release(changelog, version string, date time.Time) (string, error) {
	switch {
	case Section(changelog, version) != "":
		return changelog, nil
	case Section(changelog, Unreleased) == "":
		return "", fmt.Errorf("CHANGELOG.md has nothing under [Unreleased]: what does %s change for users?", version)
	case !unreleasedDefinition.MatchString(changelog):
		return "", errors.New("CHANGELOG.md does not say where [Unreleased] leads: add the line [Unreleased]: " + links.Home + "/commits/main at the end")
	}
	changelog = unreleasedHeading.ReplaceAllString(changelog, "## [Unreleased]\n\n## ["+name(version)+"] - "+date.Format(time.DateOnly))
	return unreleasedDefinition.ReplaceAllString(changelog,
		"[Unreleased]: "+links.Home+"/compare/"+version+"...HEAD\n["+name(version)+"]: "+links.Home+"/releases/tag/"+version), nil
}

// name is the form of version in a heading, as 1.2.3.
func name(version string) string { return strings.TrimPrefix(version, "v") }

// Unwrap joins the lines of each paragraph and list item of markdown: where releases are
// shown a line break is one, and not a space.
func Unwrap(markdown string) string {
	var lines []string
	code, joins := false, false // within a block of code; the line before can be joined to
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case joins && !code && !fence && !begins.MatchString(line):
			lines[len(lines)-1] += " " + strings.TrimSpace(line)
		default:
			lines = append(lines, line)
			joins = !code && !fence && !alone.MatchString(line)
		}
		code = code != fence
	}
	return strings.Join(lines, "\n")
}

var (
	// begins finds lines that are not part of what is before them: empty ones, list
	// items, headings, and rows of tables.
	begins = regexp.MustCompile(`^\s*($|[-*#|]|[0-9]+\. )`)
	// alone finds lines that nothing after them is part of.
	alone = regexp.MustCompile(`^\s*($|[#|])`)
)
