package conversion_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// advice is a table for which a message or a warning advises a row, or a part of one.
type advice struct {
	Name string
	// V1Beta1 and V1 are the properties of spec in the two versions.
	V1Beta1, V1 string
	Rows        string
	// Tables are the named tables, if there are any.
	Tables string
	// Says is the part of the remedy that an author copies.
	Says string
	// Fills replace its placeholders, one after the other.
	Fills []string
	// Mended are the rows after that.
	Mended string
}

// compile returns the problems of a table with these rows, or the warnings.
func (a advice) compile(t *testing.T, rows string) conversion.Problems {
	t.Helper()
	text := `versions: [{name: v1beta1, rows: ` + rows
	if a.Tables != "" {
		text += `, tables: ` + a.Tables
	}
	crd := versions(t, map[string]string{"v1beta1": spec(a.V1Beta1), "v1": spec(a.V1)})
	c, err := conversion.Compile(crd, written(t, text+`}]`))
	if problems, ok := err.(conversion.Problems); ok {
		return problems
	} else if err != nil {
		t.Fatal(err)
	}
	return c.Warnings()
}

// TestRemediesCompile: a row that a remedy advises compiles, and nothing is wrong with the table any more. Each
// text in the code which has a part of a row is in one of these remedies.
func TestRemediesCompile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "remedies.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []advice
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		t.Fatal(err)
	}
	placeholder := regexp.MustCompile(`\.\.\.|VALUE OF \w+`)
	var remedies strings.Builder
	for _, a := range all {
		t.Run(a.Name, func(t *testing.T) {
			found := a.compile(t, a.Rows)
			isAdvised := false
			for _, p := range found {
				if strings.Contains(p.Remedy, a.Says) {
					isAdvised = true
					remedies.WriteString(p.Remedy + "\n")
				}
			}
			if !isAdvised {
				t.Fatalf("no remedy has %s:\n%v", a.Says, found)
			}
			copied := a.Says
			for _, fill := range a.Fills {
				if at := placeholder.FindStringIndex(copied); at != nil {
					copied = copied[:at[0]] + fill + copied[at[1]:]
				}
			}
			bare := strings.NewReplacer("{", "", "}", "") // the row may already have other parts of the mapping
			if !strings.Contains(bare.Replace(a.Mended), bare.Replace(copied)) || placeholder.MatchString(a.Mended) {
				t.Errorf("%s does not have %s", a.Mended, copied)
			}
			for _, p := range a.compile(t, a.Mended) {
				t.Errorf("after the remedy: %v", p)
			}
		})
	}
	for _, pattern := range []string{"*.go", "internal/compile/*.go", "internal/diagnose/*.go", "internal/mapping/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				checkAdvised(t, name, remedies.String())
			}
		}
	}
}

// checkAdvised finds the texts of a file that have a part of a row and are in no remedy.
func checkAdvised(t *testing.T, name, remedies string) {
	t.Helper()
	row := regexp.MustCompile(`\{(spoke|hub|%s|key|rows|unit|true|name|place): |values: \{|default: \{|boolean: \{`)
	verb := regexp.MustCompile(`%(\\\[\d+\\\])?[sqvd]`)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		at := row.FindStringIndex(text)
		if at == nil || compiledElsewhere(text) {
			return true
		}
		if !regexp.MustCompile(verb.ReplaceAllString(regexp.QuoteMeta(text[at[0]:]), `.*`)).MatchString(remedies) {
			t.Errorf("%s: no remedy with this row is compiled: %s", set.Position(literal.Pos()), text[at[0]:])
		}
		return true
	})
}

// compiledElsewhere reports whether a text is in remedies that other tests compile, because they need other schemas.
func compiledElsewhere(text string) bool {
	for _, part := range []string{
		"retired: REASON}",               // TestRetired
		"{%s: %s, drop: ...}",            // TestSensitive
		"omits the field for that value", // TestRequired
	} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
