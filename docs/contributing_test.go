package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Commands on CONTRIBUTING.md name targets of the Makefile, and packages, that there are.
func TestContributingNamesWhatThereIs(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, span := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(readPage(t, "CONTRIBUTING.md")), -1) {
		for command := range strings.SplitSeq(span[1], " && ") {
			words := strings.Fields(command)
			if len(words) < 2 {
				continue
			}
			switch words[0] {
			case "make":
				checked++
				for _, target := range words[1:] {
					if !strings.Contains(target, "=") && !strings.Contains(string(makefile), "\n"+target+":") {
						t.Errorf("%s: the Makefile has no target %s", command, target)
					}
				}
			case "go":
				checked++
				for _, word := range words[1:] {
					if folder, isPackage := strings.CutPrefix(word, "./"); isPackage {
						wantFolder(t, command, strings.TrimSuffix(folder, "..."))
					}
				}
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d commands were checked", checked)
	}
}

// wantFolder wants a folder in the repository, or in one of the modules that commands are
// run in.
func wantFolder(t *testing.T, command, folder string) {
	t.Helper()
	if !slices.ContainsFunc([]string{"..", "../e2e", "../internal/release"}, func(module string) bool {
		info, err := os.Stat(filepath.Join(module, folder))
		return err == nil && info.IsDir()
	}) {
		t.Errorf("%s: there is no package ./%s", command, folder)
	}
}

// A link with a name of Go in it leads to the file that declares the name.
func TestLinksLeadToDeclarations(t *testing.T) {
	link := regexp.MustCompile("\\[`([A-Za-z.]+)`\\]\\(([^)]+\\.go)\\)")
	checked := 0
	for _, page := range pages(t) {
		for _, match := range link.FindAllSubmatch(readPage(t, page), -1) {
			checked++
			name := string(match[1][strings.LastIndex(string(match[1]), ".")+1:])
			file := filepath.Join("..", filepath.Dir(page), string(match[2]))
			text, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type )` + name + `\b`).Match(text) {
				t.Errorf("%s: %s does not declare %s", page, match[2], name)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d links were checked", checked)
	}
}
