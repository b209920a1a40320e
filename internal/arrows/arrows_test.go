// Package arrows has no code but this test: which package of the module may import which. The
// arrows point one way, so a reader of a package needs to know only the packages to the right
// of it here.
package arrows

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/crosswalk-dev/crosswalk/"

// allowed maps every room to the rooms that its packages may import besides packages of the
// room itself. "a/b" is a separate room if it is listed, and otherwise part of the room "a".
func allowed() map[string][]string {
	return map[string][]string{
		"api":                   {},
		"internal/bulk":         {},
		"internal/edits":        {},
		"internal/connections":  {},
		"internal/certstest":    {},
		"internal/cputime":      {},
		"internal/jsontext":     {},
		"internal/manifest":     {},
		"internal/editorschema": {},
		"internal/builtin":      {},
		"internal/arrows":       {},
		"internal/rights":       {},
		"internal/words":        {},
		"certs":                 {"api"},
		"conversion":            {"api", "internal/edits", "internal/jsontext", "internal/manifest"},
		// Measures what conversions cost.
		"conversion/verify/internal/cost": {"api", "conversion", "internal/cputime"},
		// The program of make prove.
		"conversion/verify/internal/prove": {"conversion"},
		"validation":                       {"api", "internal/edits", "internal/jsontext"},
		"webhook":                          {"conversion", "validation", "certs", "internal/jsontext"},
		"internal/config":                  {"api", "conversion", "validation", "internal/edits", "internal/manifest"},
		"internal/offline":                 {"conversion", "internal/manifest"},
		"internal/admit":                   {"api", "conversion", "validation", "webhook", "internal/builtin", "internal/config", "internal/manifest", "internal/report"},
		"internal/report":                  {"internal/manifest"},
		"internal/trial":                   {"api", "conversion", "internal/config", "internal/report"},
		"internal/cluster":                 {"api", "conversion", "validation", "internal/config", "internal/rights"},
		"internal/manage":                  {"api", "certs", "validation", "internal/cluster", "internal/rights"},
		// Reviewers for objects that the cluster's follower depends on, with the same reading
		// and compiling, and spans to change one field of a CRD.
		"internal/ownkinds": {"api", "conversion", "validation", "internal/config", "internal/cluster", "internal/manifest"},
		"internal/migrate":  {"api", "conversion", "internal/bulk"},
		// Reviews existing objects as a write would be.
		"internal/audit": {"api", "conversion", "validation", "webhook", "internal/bulk", "internal/cluster", "internal/report"},
		// What is wrong in a cluster, with what manage intends.
		"internal/doctor": {"api", "certs", "conversion", "internal/cluster", "internal/manage", "internal/report", "internal/rights"},
		// Crosswalk's own API groups, with the tables of webhook.
		"internal/aggregated": {"api", "certs", "conversion", "webhook", "internal/jsontext"},
		"cmd":                 {"api", "conversion", "validation", "certs", "webhook", "internal"},
		"docs":                {"internal/manifest"},
		// Programs that users could have written.
		"examples": {"api", "conversion", "validation", "certs", "webhook", "cmd"},
	}
}

// inTests lists what only the tests of a room may import besides.
func inTests() map[string][]string {
	return map[string][]string{
		// For measuring how much work something is.
		"certs":             {"internal/certstest", "internal/cputime"},
		"conversion":        {"internal/cputime"},
		"internal/jsontext": {"internal/cputime"},
		"internal/manifest": {"internal/cputime"},
		"webhook":           {"api", "internal/config", "internal/manifest"},
		"internal/offline":  {"internal/config", "internal/cputime"},
		// Pages show Go that the tests of the pages run.
		"docs":                {"api", "conversion"},
		"internal/aggregated": {"validation", "internal/certstest", "internal/config"},
		// Tables call Go functions.
		"internal/doctor": {"internal/certstest"},
		"internal/manage": {"conversion", "internal/certstest", "internal/cputime"},
		// Implementations of its interfaces are tested with the real tables.
		"validation": {"conversion", "internal/cputime"},
	}
}

// pure lists the rooms that do no input or output and know no HTTP.
func pure() []string { return []string{"conversion", "validation"} }

type listed struct {
	name                 string // from the module's root, for example internal/config
	imports, testImports []string
}

func TestArrows(t *testing.T) {
	packages := list(t)
	if len(packages) < 10 {
		t.Fatalf("found %d packages only", len(packages))
	}
	for _, p := range packages {
		room := roomOf(p.name)
		if room == "" {
			t.Errorf("%s is in no room: add it to this test and to the folders in docs/architecture.md", p.name)
			continue
		}
		for _, imported := range p.imports {
			check(t, p.name, room, imported, allowed()[room])
			if slices.Contains(pure(), room) && ioPackage(imported) {
				t.Errorf("%s imports %s: %s does no I/O", p.name, imported, room)
			}
		}
		for _, imported := range p.testImports {
			check(t, p.name+" (test)", room, imported, append(allowed()[room], inTests()[room]...))
		}
	}
}

// docs/architecture.md lists every room among the folders.
func TestRoomsAreOnThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list(t) {
		if room := roomOf(p.name); !strings.Contains(string(page), "["+room+"](../"+room) && !strings.Contains(string(page), "["+room+"/") {
			t.Errorf("%s is not among the folders of docs/architecture.md", room)
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

// roomOf returns the longest room that contains a package.
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

// list reads the imports of every package itself: the result of a test that calls "go list"
// would be cached, however the imports change.
func list(t *testing.T) []*listed {
	t.Helper()
	packages := map[string]*listed{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skip(path, entry.Name())
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		folder := filepath.ToSlash(filepath.Dir(path))
		name := strings.TrimPrefix(strings.TrimPrefix(folder, "../.."), "/")
		if packages[name] == nil {
			packages[name] = &listed{name: name}
		}
		imports, err := readImports(path)
		if strings.HasSuffix(path, "_test.go") {
			packages[name].testImports = append(packages[name].testImports, imports...)
		} else {
			packages[name].imports = append(packages[name].imports, imports...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Values(packages))
}

// skip skips what is not part of this module, as the go command does.
func skip(path, name string) error {
	if path == "../.." {
		return nil
	}
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "bin" {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func readImports(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		imports = append(imports, name)
	}
	return imports, nil
}
