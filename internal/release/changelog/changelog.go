// Package changelog reads and writes CHANGELOG.md, which has the format of
// https://keepachangelog.com/en/1.1.0/: a section for each version, the newest first, and
// before them one for unreleased changes.
package changelog

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/release/links"
)

// Unreleased is the name of the section for unreleased changes.
const Unreleased = "Unreleased"

// Section returns the section of version, such as v1.2.3, or Unreleased, without its heading.
// It returns "" if there is no such section or it is empty.
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
	// definition matches the definition of a heading's link, as in "[1.2.3]:
	// https://example.com".
	definition = regexp.MustCompile(`^\[[^\]]+\]: `)
	// unreleased matches the lines that change when a version is released.
	unreleasedHeading    = regexp.MustCompile(`(?m)^## \[Unreleased\]$`)
	unreleasedDefinition = regexp.MustCompile(`(?m)^\[Unreleased\]: .*$`)
)

// Release returns changelog with the unreleased changes as the section of version, with the
// date. A changelog that already has the section is unchanged.
func Release(changelog, version string, date time.Time) (string, error) {
	switch {
	case Section(changelog, version) != "":
		return changelog, nil
	case Section(changelog, Unreleased) == "":
		return "", fmt.Errorf("CHANGELOG.md has nothing under [Unreleased]: what does %s change for users?", version)
	case !unreleasedDefinition.MatchString(changelog):
		return "", errors.New("CHANGELOG.md has no link for [Unreleased]: add the line [Unreleased]: " + links.Home + "/commits/main at the end")
	}
	changelog = unreleasedHeading.ReplaceAllString(changelog, "## [Unreleased]\n\n## ["+name(version)+"] - "+date.Format(time.DateOnly))
	return unreleasedDefinition.ReplaceAllString(changelog,
		"[Unreleased]: "+links.Home+"/compare/"+version+"...HEAD\n["+name(version)+"]: "+links.Home+"/releases/tag/"+version), nil
}

// name returns the form of version in a heading, such as 1.2.3.
func name(version string) string { return strings.TrimPrefix(version, "v") }

// Unwrap joins the lines of each paragraph and list item of markdown, because release pages
// show a line break as such, and not as a space.
func Unwrap(markdown string) string {
	var lines []string
	code, joins := false, false // within a block of code; the previous line can be joined to
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
	// begins matches lines that do not continue the previous line: empty lines, list items,
	// headings, and rows of tables.
	begins = regexp.MustCompile(`^\s*($|[-*#|]|[0-9]+\. )`)
	// alone matches lines that no other line continues.
	alone = regexp.MustCompile(`^\s*($|[#|])`)
)
