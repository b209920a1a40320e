// Command words finds words that make text hard to read. The list is in words.go, with
// what to write instead. It reads every text file of the repository: of Go the comments,
// the strings and the names.
//
// Rooms that still have such words are in the list left, with their number. The command
// fails where a room has more than its number, and where it has fewer: the number must
// then be lowered.
package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	show := flag.String("show", "", "print every finding in the files whose path starts with this")
	flag.Parse()
	findings, err := repository(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *show != "" {
		list(os.Stdout, findings, *show)
		return
	}
	if !judge(os.Stderr, findings, left()) {
		os.Exit(1)
	}
}

// left holds the number of findings of each room that is not free of them yet.
func left() map[string]int {
	return map[string]int{
		"e2e": 480,
	}
}

// A finding is a word of the list, and where it is.
type finding struct {
	path, word, instead string
	line                int
}

// repository reads all text files below a root.
func repository(root fs.FS) ([]finding, error) {
	var findings []finding
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return leaveOut(path, entry.Name())
		}
		if !isText(path) || foreign(path) {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		for _, p := range prose(path, text) {
			for _, f := range find(p.text) {
				f.path, f.line = path, p.line+f.line
				findings = append(findings, f)
			}
		}
		return nil
	})
	return findings, err
}

// leaveOut leaves out folders that hold no text of ours: what is built, what git keeps,
// and inputs that the fuzzer made.
func leaveOut(path, name string) error {
	if path != "." && (name == ".git" || name == "bin" || name == "fuzz" || path == "internal/words") {
		return fs.SkipDir
	}
	return nil
}

func isText(path string) bool {
	switch filepath.Ext(path) {
	case ".go", ".md", ".yaml", ".yml", ".json", ".tpl", ".txt", ".svg", ".sh", ".mod":
		return true
	}
	return filepath.Base(path) == "Makefile"
}

// foreign reports whether others wrote the file: descriptions in public CRDs.
func foreign(path string) bool {
	return strings.HasPrefix(path, "examples/") && filepath.Base(path) == "crd.yaml" ||
		strings.HasPrefix(path, "e2e/systems/testdata/")
}

// room returns the folder that a file's findings are counted for.
func room(path string) string {
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 1:
		return "."
	case len(parts) > 2 && (parts[0] == "internal" || strings.HasPrefix(path, "conversion/internal/")):
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// judge compares the findings of each room with its number, prints what is wrong, and
// reports whether nothing is.
func judge(out io.Writer, findings []finding, left map[string]int) bool {
	found := map[string][]finding{}
	for _, f := range findings {
		found[room(f.path)] = append(found[room(f.path)], f)
	}
	rooms := map[string]bool{}
	for r := range found {
		rooms[r] = true
	}
	for r := range left {
		rooms[r] = true
	}
	good := true
	for _, r := range slices.Sorted(maps.Keys(rooms)) {
		switch n := len(found[r]); {
		case n > left[r]:
			good = false
			list(out, found[r], "")
			fmt.Fprintf(out, "%s: %d hard words, %d more than allowed; write them in other words\n", r, n, n-left[r])
		case n < left[r]:
			good = false
			fmt.Fprintf(out, "%s: %d hard words, fewer than allowed: set its number to %d in internal/words/main.go\n", r, n, n)
		}
	}
	return good
}

func list(out io.Writer, findings []finding, prefix string) {
	for _, f := range findings {
		if strings.HasPrefix(f.path, prefix) {
			fmt.Fprintf(out, "%s:%d: %q: write %s\n", f.path, f.line, f.word, f.instead)
		}
	}
}
