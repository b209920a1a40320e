package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// A yaml block says in its first line what it is:
//
//	# rows               rows of a table, v1beta1 is the spoke and v1 the hub
//	# v1beta1            an object; the next v1 block is the same object
//	# v1
//	# v1, one way        as v1, where converting back gives another v1beta1
func marker(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	switch name := strings.TrimPrefix(first, "# "); name {
	case "rows", "v1beta1", "v1", "v1, one way":
		return name
	}
	return ""
}

// testTables converts the objects of every page by the rows before them, in
// both directions. The schemas are those that the objects have.
func testTables(t *testing.T, program string) {
	for _, page := range pages(t) {
		for _, e := range readExamples(t, page) {
			t.Run(fmt.Sprintf("%s:%d", page, e.rows.line), func(t *testing.T) {
				e.program, e.folder = program, t.TempDir()
				e.configure(t)
				for _, pair := range e.pairs {
					e.expect(t, "v1", pair.old, pair.now)
					if !pair.oneWay {
						e.expect(t, "v1beta1", pair.now, pair.old)
					}
				}
			})
		}
	}
}

// example is a block of rows and the objects that follow it.
type example struct {
	program, folder string
	rows            block
	pairs           []pair
}

type pair struct {
	old, now *manifest.Node
	oneWay   bool
}

func readExamples(t *testing.T, page string) []*example {
	t.Helper()
	var examples []*example
	var old *manifest.Node
	for _, b := range readBlocks(t, page) {
		if b.language != "yaml" {
			continue
		}
		switch kind := marker(b.text); {
		case kind == "rows":
			examples, old = append(examples, &example{rows: b}), nil
		case kind == "v1beta1":
			old = object(t, b.text, "v1beta1")
		case old == nil || len(examples) == 0:
			t.Fatalf("%s:%d: a v1 block needs a rows block and a v1beta1 block before it", b.page, b.line)
		default:
			e := examples[len(examples)-1]
			e.pairs = append(e.pairs, pair{old: old, now: object(t, b.text, "v1"), oneWay: kind != "v1"})
		}
	}
	for _, e := range examples {
		if len(e.pairs) == 0 {
			t.Fatalf("%s:%d: no objects follow the rows", page, e.rows.line)
		}
	}
	return examples
}

func (e *example) configure(t *testing.T) {
	t.Helper()
	var old, now []*manifest.Node
	for _, pair := range e.pairs {
		old, now = append(old, pair.old), append(now, pair.now)
	}
	crd := fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: examples.docs.crosswalk.dev}
spec:
  group: docs.crosswalk.dev
  scope: Namespaced
  names: {plural: examples, singular: example, kind: Example}
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: %s}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: %s}}
`, schemaOf(merged(old)).AppendJSON(nil), schemaOf(merged(now)).AppendJSON(nil))
	table := "apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: examples.docs.crosswalk.dev}\n" +
		"spec:\n  hub: v1\n  versions:\n  - name: v1beta1\n    rows:\n" + indent(e.rows.text, "      ")
	e.write(t, "crd.yaml", crd)
	e.write(t, "table.yaml", table)
}

func (e *example) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (e *example) expect(t *testing.T, to string, in, want *manifest.Node) {
	t.Helper()
	command := exec.Command(e.program, "convert", "--config", e.folder, "--to", to)
	command.Env = append(os.Environ(), noSleep)
	command.Stdin = bytes.NewReader(in.AppendJSON(nil))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Errorf("to %s: %v\n%s", to, err, stderr.String())
		return
	}
	got := parse(t, string(out), manifest.JSON)
	if g, w := sorted(got), sorted(want); g != w {
		t.Errorf("to %s: got\n%s\nthe page says\n%s", to, g, w)
	}
}

func object(t *testing.T, text, version string) *manifest.Node {
	t.Helper()
	head := fmt.Sprintf("apiVersion: docs.crosswalk.dev/%s\nkind: Example\n", version)
	return parse(t, head+text, manifest.YAML)
}

func parse(t *testing.T, text string, format manifest.Format) *manifest.Node {
	t.Helper()
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: []byte(text)}, format)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return node
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}
