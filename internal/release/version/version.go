// Package version finds the places in the repository that name its version. The version must be
// the same in the Makefile, in deploy and in the chart.
package version

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// place is a line of a file that names the version. Each line occurs once in its file.
type place struct {
	file   string         // its path from the repository
	line   *regexp.Regexp // the text before the version, the version, and the text after it
	prefix string         // a prefix that the version has elsewhere and not here
}

// The Makefile comes first.
var places = []place{
	{file: "Makefile", line: regexp.MustCompile(`(?m)^(VERSION \?= )(\S+)($)`)},
	{file: "deploy/base/kustomization.yaml", line: regexp.MustCompile(`(?m)^(  newTag: )(\S+)( # VERSION in the Makefile$)`)},
	{file: "deploy/chart/Chart.yaml", line: regexp.MustCompile(`(?m)^(appVersion: )(\S+)( # VERSION in the Makefile$)`)},
	{file: "deploy/chart/Chart.yaml", line: regexp.MustCompile(`(?m)^(version: )(\S+)( # VERSION in the Makefile$)`), prefix: "v"},
	{file: "docs/quickstart.md", line: regexp.MustCompile(`(?m)^(kind load image-archive bin/image/crosswalk-)(\S+)(-linux-\$\(go env GOARCH\)\.tar$)`)},
}

// Files returns the paths, in the repository, of the files that name the version.
func Files() []string {
	var files []string
	for _, p := range places {
		if !slices.Contains(files, p.file) {
			files = append(files, p.file)
		}
	}
	return files
}

// Check fails unless version has the form v1.2.3 or v1.2.3-rc.1. A plus sign is not allowed,
// because the tag of an image cannot contain one.
func Check(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version such as v1.2.3 or v1.2.3-rc.1", version)
	}
	return nil
}

// IsRelease reports whether version is a released one, as opposed to a version between
// releases, such as v1.2.3-dev.
func IsRelease(version string) bool { return semver.Prerelease(version) != "-dev" }

// Set returns content, the content of file, with version in the place for it.
func Set(file string, content []byte, version string) ([]byte, error) {
	for _, p := range places {
		if p.file != filepath.ToSlash(file) {
			continue
		}
		if _, err := p.find(content); err != nil {
			return nil, err
		}
		content = p.line.ReplaceAll(content, []byte("${1}"+strings.TrimPrefix(version, p.prefix)+"${3}"))
	}
	return content, nil
}

// Write sets the version of the repository in root.
func Write(root, version string) error {
	for _, p := range places {
		path := filepath.Join(root, p.file)
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if content, err = Set(p.file, content, version); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Of returns the version of the repository in root. It fails if two places differ.
func Of(root string) (string, error) {
	version := ""
	for _, p := range places {
		content, err := os.ReadFile(filepath.Join(root, p.file))
		if err != nil {
			return "", err
		}
		found, err := p.find(content)
		if err != nil {
			return "", err
		}
		if version != "" && found != version {
			return "", fmt.Errorf("%s names version %s, and %s names %s: run make version VERSION=%[2]s to make them equal", places[0].file, version, p.file, found)
		}
		version = found
	}
	return version, nil
}

func (p place) find(content []byte) (string, error) {
	found := p.line.FindAllSubmatch(content, -1)
	if len(found) != 1 {
		return "", fmt.Errorf("%s has %d lines like %s, not one", p.file, len(found), p.line)
	}
	return p.prefix + string(found[0][2]), nil
}
