// Package arrows holds no code but this test: which package of the module may
// import which. The arrows point one way, so that a reader of a package needs
// to know only what stands to the right of it here.
package arrows

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/crosswalk-dev/crosswalk/"

// allowed names, for every room, the rooms that its packages may import besides
// packages of the room itself. "a/b" is a room of its own where it is listed,
// else part of the room "a".
func allowed() map[string][]string {
	return map[string][]string{
		"api":                   {},
		"internal/jsontext":     {},
		"internal/manifest":     {},
		"internal/editorschema": {},
		"internal/arrows":       {},
		"certs":                 {"api"},
		"conversion":            {"api", "internal/jsontext"},
		"validation":            {"api"},
		"webhook":               {"conversion", "validation", "certs", "internal/jsontext"},
		"internal/config":       {"api", "conversion", "internal/manifest"},
		"internal/offline":      {"conversion", "internal/manifest"},
		"internal/cluster":      {"api", "conversion", "validation"},
		"internal/manage":       {"api", "certs", "internal/cluster"},
		"cmd":                   {"api", "conversion", "validation", "certs", "webhook", "internal"},
		"docs":                  {"internal/manifest"},
	}
}

// inTests names what only tests of a room may import besides.
func inTests() map[string][]string {
	return map[string][]string{
		"webhook":          {"api", "internal/config", "internal/manifest"},
		"internal/offline": {"internal/config"},
	}
}

// pure names the rooms that do no input or output and know no HTTP.
func pure() []string { return []string{"conversion", "validation"} }

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func TestArrows(t *testing.T) {
	packages := list(t)
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages only", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		room := roomOf(name)
		if room == "" {
			t.Errorf("%s is in no room: add it to this test and to the folder tree in README.md", name)
			continue
		}
		for _, imported := range p.Imports {
			check(t, name, room, imported, allowed()[room])
			if slices.Contains(pure(), room) && ioPackage(imported) {
				t.Errorf("%s imports %s: %s does no I/O", name, imported, room)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			check(t, name+" (test)", room, imported, append(allowed()[room], inTests()[room]...))
		}
	}
}

func check(t *testing.T, name, room, imported string, may []string) {
	t.Helper()
	short, ours := strings.CutPrefix(imported, module)
	if !ours || within(short, room) {
		return
	}
	for _, allowed := range may {
		if within(short, allowed) {
			return
		}
	}
	t.Errorf("%s imports %s: the arrows do not point that way", name, short)
}

func within(name, room string) bool {
	return name == room || strings.HasPrefix(name, room+"/")
}

// roomOf finds the longest room that holds a package.
func roomOf(name string) string {
	found := ""
	for room := range allowed() {
		if within(name, room) && len(room) > len(found) {
			found = room
		}
	}
	return found
}

func ioPackage(path string) bool {
	switch path {
	case "net", "net/http", "os", "os/exec", "os/signal", "io/ioutil", "syscall", "database/sql":
		return true
	}
	return strings.HasPrefix(path, "net/http/") || strings.HasPrefix(path, "k8s.io/client-go/")
}

func list(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", module+"...")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v", command.Args, err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
