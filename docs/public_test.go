package docs

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages finds the packages that others may import, from the repository's root.
// It looks into the folders that hold them only, and not into those that a build changes.
func publicPackages(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, room := range []string{"api", "certs", "cmd", "conversion", "validation", "webhook"} {
		if err := filepath.WalkDir(filepath.Join("..", room), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			if entry.Name() == "internal" || entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			if files := parseFolder(t, name, false); len(files) > 0 && files[0].Name.Name != "main" {
				found = append(found, strings.TrimPrefix(filepath.ToSlash(name), "../"))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// parseFolder reads the Go files of a folder that are tests, or those that are not.
func parseFolder(t *testing.T, folder string, tests bool) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") != tests {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, entry.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// VERSIONING.md lists the public packages, and no others.
func TestPublicPackagesAreListed(t *testing.T) {
	var listed []string
	_, table, _ := strings.Cut(string(readPage(t, "VERSIONING.md")), "### Go packages\n")
	table, _, _ = strings.Cut(table, "\n#")
	for line := range strings.Lines(table) {
		cell, isRow := strings.CutPrefix(line, "| [")
		if name, rest, isLink := strings.Cut(cell, "]("); isRow && isLink {
			if !strings.HasPrefix(rest, name+")") {
				t.Errorf("the link of %s leads elsewhere: %s", name, rest)
			}
			listed = append(listed, name)
		}
	}
	slices.Sort(listed)
	if found := publicPackages(t); !slices.Equal(found, listed) {
		t.Errorf("public packages are\n%q\nand VERSIONING.md lists\n%q", found, listed)
	}
}

// Every public package has an example of what it is for that its tests run, and that a
// stranger could write: it imports nothing internal.
func TestPublicPackagesHaveExamples(t *testing.T) {
	for _, name := range publicPackages(t) {
		run := false
		for _, file := range parseFolder(t, filepath.Join("..", name), true) {
			examples := doc.Examples(file)
			if len(examples) == 0 {
				continue
			}
			// An example cannot run what ends the process.
			run = run || name == "cmd/crosswalk/command" || slices.ContainsFunc(examples, func(e *doc.Example) bool { return e.Output != "" })
			for _, imported := range file.Imports {
				if slices.Contains(strings.Split(strings.Trim(imported.Path.Value, `"`), "/"), "internal") {
					t.Errorf("an example of %s imports %s, which no other module can", name, path.Clean(imported.Path.Value))
				}
			}
			if !strings.HasSuffix(file.Name.Name, "_test") {
				t.Errorf("an example of %s is in the package itself, and not in %s_test", name, file.Name.Name)
			}
		}
		if !run {
			t.Errorf("%s has no example with an output", name)
		}
	}
}
