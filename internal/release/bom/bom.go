// Package bom lists the content of a program, its bill of materials: the modules that are
// linked into it and the texts of their licences, as files and as an SPDX document.
package bom

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"

	"github.com/crosswalk-dev/crosswalk/internal/release/archive"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

// Module is one of the modules that a program consists of. Crosswalk itself is the first, and
// the standard library, with the path std, the second. The others follow, sorted by path.
type Module struct {
	Path    string
	Version string
	Texts   []Text // of its licences, at least one
}

// Text is a file that must be distributed with the program.
type Text struct {
	Name    string // its path below the module's folder, such as LICENSE
	Content []byte
}

const std = "std"

// isText matches licences and the files that they require, such as the NOTICE of Apache's.
var isText = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([-.].*)?$`)

// Modules lists the modules of p, which was compiled from the repository in root. It fails if a
// module has no licence.
func Modules(ctx context.Context, root string, p program.Program) ([]Module, error) {
	folders, err := foldersOf(ctx, root, p.Platform)
	if err != nil {
		return nil, err
	}
	modules := []Module{{Path: p.Info.Main.Path, Version: p.Version}, {Path: std, Version: "v" + p.GoVersion()}}
	for _, dep := range p.Info.Deps {
		modules = append(modules, Module{Path: dep.Path, Version: dep.Version})
	}
	var missing []error
	for i := range modules {
		m := &modules[i]
		if m.Texts, err = textsIn(folders[m.Path]); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(m.Texts, Text.isLicense) {
			missing = append(missing, fmt.Errorf("%s %s has no licence in %v", m.Path, m.Version, folders[m.Path].root))
		}
	}
	return modules, errors.Join(missing...)
}

// folders holds the places of a module's files.
type folders struct {
	root     string
	packages []string // the linked packages
}

// foldersOf returns the folders of all modules that crosswalk needs, by the modules' paths.
func foldersOf(ctx context.Context, root string, platform program.Platform) (map[string]folders, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps",
		"-f", "{{with .Module}}{{.Path}}\t{{.Dir}}\t{{end}}{{.Dir}}", "./cmd/crosswalk")
	cmd.Dir, cmd.Env = root, platform.Env()
	cmd.Stderr = os.Stderr
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the modules of crosswalk: %w", err)
	}
	goroot := exec.CommandContext(ctx, "go", "env", "GOROOT")
	goroot.Dir = root // whose go.mod names the release of Go
	where, err := goroot.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	found := map[string]folders{std: {root: strings.TrimSpace(string(where))}}
	for line := range strings.Lines(string(listed)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 {
			continue // a package of the standard library, which has one licence
		}
		f := found[fields[0]]
		f.root = fields[1]
		f.packages = append(f.packages, fields[2])
		found[fields[0]] = f
	}
	return found, nil
}

// textsIn reads the texts beside the linked packages, and in the folders above them up to the
// module's root: a folder of third-party code has its own licence.
func textsIn(f folders) ([]Text, error) {
	dirs := map[string]bool{f.root: true}
	for _, dir := range f.packages {
		for ; dir != f.root; dir = filepath.Dir(dir) {
			if len(dir) < len(f.root) {
				return nil, fmt.Errorf("a package of the module in %s is not below it", f.root)
			}
			dirs[dir] = true
		}
	}
	var texts []Text
	for dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !isText.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
				continue
			}
			path := filepath.Join(dir, entry.Name())
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(f.root, path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, Text{filepath.ToSlash(name), content})
		}
	}
	slices.SortFunc(texts, func(a, b Text) int { return strings.Compare(a.Name, b.Name) })
	return texts, nil
}

// Files returns the texts of modules as files below the folder dir, each in the folder of its
// module's path.
func Files(modules []Module, dir string) []archive.File {
	var files []archive.File
	for _, m := range modules {
		for _, text := range m.Texts {
			files = append(files, archive.File{Path: path.Join(dir, m.Path, text.Name), Mode: 0o644, Content: text.Content})
		}
	}
	return files
}

// License returns the licences of m as an SPDX expression, such as "Apache-2.0 AND MIT". It
// returns NOASSERTION if a licence among the texts has no SPDX identifier.
func (m Module) License() string {
	names := map[string]bool{}
	for _, text := range m.Texts {
		if !text.isLicense() {
			continue
		}
		found := licensecheck.Scan(text.Content)
		// A text may have a copyright line and a title of its own.
		if found.Percent < 75 || len(found.Match) == 0 {
			return "NOASSERTION"
		}
		for _, match := range found.Match {
			names[match.ID] = true
		}
	}
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return strings.Join(sorted, " AND ")
}

// isLicense reports whether t is a licence, as opposed to a notice beside one.
func (t Text) isLicense() bool {
	name := strings.ToLower(filepath.Base(t.Name))
	return strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying")
}
