package config

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../api/v1alpha1/crosswalk.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("crosswalk.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("crosswalk.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// What the editor underlines is what Load refuses, and nothing else.
func TestEditorSchemaAgreesWithLoad(t *testing.T) {
	row := func(row string) string {
		return fmt.Sprintf("apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a.b.c}\n"+
			"spec: {hub: v1, versions: [{name: v2, rows: [%s]}]}\n", row)
	}
	tests := []struct {
		text string
		ok   bool
	}{
		{row(`{spoke: .a, hub: .b}`), true},
		{row(`{spoke: .a, drop: gone}`), true},
		{row(`{hub: {x: .b, z: .c}, spoke: .a, template: "{x}{z}"}`), true},
		{row(`{spoke: .a, hub: .b, values: {a: 1, b: null, c: {d: [1.5]}}, inverse: {e: x}, closed: true}`), true},
		{row(`{spoke: .a, constant: [1]}`), true},
		{row(`{spoke: .a, hub: .b, default: {spoke: 0, hub: ""}, crosses: false, sensitive: true}`), true},
		{row(`{spoke: .a, hub: .b, each: {key: name, rows: [{spoke: .a, hub: .b, each: {key: [name, kind], unique: true, rows: []}}]}}`), true},
		{row(`{spoke: .a, hub: .b, scalar: {}}`), true},
		{row(`{spoke: .a, hub: .b, scalar: {spoke: integer, hub: duration, unit: s, round: up}}`), true},
		{row(`{spoke: .a, hub: .b, scalar: {unit: {spoke: s, hub: ms}}}`), true},
		{row(`{spoke: .a, hub: .b, boolean: {negate: true}}`), true},
		{row(`{spoke: .a, hub: .b, boolean: {presence: hub, true: {a: 1}}}`), true},
		{row(`{spoke: .a, hub: .b, boolean: {true: Enabled, false: 0}}`), true},
		{row(`{spoke: .a, hub: .b, join: {separator: ",", prefix: "[", suffix: "]", trim: true}}`), true},
		{row(`{spoke: .a, hub: .b, single: {}}`), true},
		{row(`{spoke: .a, hub: .b, single: {rows: [{spoke: ., hub: .name}]}}`), true},
		{row(`{spoke: .a, hub: .b, wrap: name}`), true},
		{row(`{spoke: .a, hub: .b, keyed: {key: name, value: value, rows: [{spoke: .x, hub: .y, keyed: {key: k}}]}}`), true},
		{row(`{spoke: {A: .a, B: .b}, hub: {type: .c, value: .d}, variant: {}}`), true},
		{row(`{spoke: {A: .a, B: .b}, hub: .c, variant: {}}`), true},
		{row(`{spoke: {A: .a, B: .b}, hub: .c, variant: {type: .d}}`), false},
		{row(`{spoke: {A: .a, B: .b}, hub: .c, variant: true}`), false},
		{row(`{spoke: .a, hub: .b, text: yaml}`), true},
		{row(`{spoke: .a, hub: .b, text: YAML}`), false},
		{row(`{spoke: .a, hub: .b, text: {}}`), false},
		{row(`{spoke: .a, hub: {x: .b}, cel: {toHub: {x: self.a}, toSpoke: self.b}}`), true},
		{row(`{hub: .b, cel: {toHub: self.a}}`), true},
		{row(`{hub: .b, cel: {toHub: [self.a]}}`), false},
		{row(`{hub: .b, cel: {toHub: {x: 1}}}`), false},
		{row(`{hub: .b, cel: self.a}`), false},
		{row(`{hub: .b, cel: {hub: self.a}}`), false},
		{row(`{spoke: .a, hub: .b, table: route}`), true},
		{row(`{spoke: .a, hub: .b, each: {table: route}}`), true},
		{row(`{spoke: .a, hub: .b, table: [route]}`), false},
		{strings.Replace(row(`{spoke: .a, hub: .b, keyed: {key: k, table: route}}`), "rows:", "tables: {route: [{spoke: .x, hub: .y}]}, rows:", 1), true},
		{strings.Replace(row(``), "rows:", "tables: {route: [{spok: .x}]}, rows:", 1), false},
		{strings.Replace(row(``), "rows:", "tables: {route: {rows: []}}, rows:", 1), false},
		{row(`{spoke: .a, hub: .b, single: true}`), false},
		{row(`{spoke: .a, hub: .b, single: {row: []}}`), false},
		{row(`{spoke: .a, hub: .b, wrap: {}}`), false},
		{row(`{spoke: .a, hub: .b, keyed: {}}`), false},
		{row(`{spoke: .a, hub: .b, keyed: {key: ""}}`), false},
		{row(`{spoke: .a, hub: .b, keyed: {key: [a]}}`), false},
		{row(`{spoke: .a, hub: .b, keyed: {key: a, rows: [{spok: .a}]}}`), false},
		{row(`{spoke: .a, hub: .b, scalar: duration}`), false},
		{row(`{spoke: .a, hub: .b, scalar: {hub: durations}}`), false},
		{row(`{spoke: .a, hub: .b, scalar: {unit: 1}}`), false},
		{row(`{spoke: .a, hub: .b, scalar: {unit: {spokes: s}}}`), false},
		{row(`{spoke: .a, hub: .b, scalar: {unit: {spoke: 1}}}`), false},
		{row(`{spoke: .a, hub: .b, scalar: {round: half}}`), false},
		{row(`{spoke: .a, hub: .b, boolean: true}`), false},
		{row(`{spoke: .a, hub: .b, boolean: {presence: v1}}`), false},
		{row(`{spoke: .a, hub: .b, boolean: {true: null, false: x}}`), false},
		{row(`{spoke: .a, hub: .b, join: ","}`), false},
		{row(`{spoke: .a, hub: .b, join: {}}`), false},
		{row(`{spoke: .a, hub: .b, join: {separator: ""}}`), false},

		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1, admission: None}\n", true},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1, admission: none}\n", false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1, admission: \"\"}\n", false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1, admission: 1}\n", false},

		{row(`{spok: .a, hub: .b}`), false},
		{row(`{spoke: 5, hub: .b}`), false},
		{row(`{spoke: [.a], hub: .b}`), false},
		{row(`{spoke: {x: 5}, hub: .b}`), false},
		{row(`{spoke: null, hub: .b}`), false},
		{row(`{spoke: .a, constant: null}`), false},
		{row(`{spoke: .a, hub: .b, template: 5}`), false},
		{row(`{spoke: .a, hub: .b, closed: "true"}`), false},
		{row(`{spoke: .a, hub: .b, values: [a]}`), false},
		{row(`{spoke: .a, hub: .b, each: {key: 5}}`), false},
		{row(`{spoke: .a, hub: .b, each: {key: [5]}}`), false},
		{row(`{spoke: .a, hub: .b, each: {rows: [{spoke: .a, hub: .b, each: {kex: name}}]}}`), false},
		{row(`{spoke: .a, hub: .b, default: {spokes: 1}}`), false},
		{row(`null`), false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nspec: {hub: v1}\n", false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\n", false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1}\nstatus: {}\n", true},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hub: v1}\nstatus: 1\n", false},
		{"apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a, labels: {x: 1}}\nspec: {hub: v1}\n", false},
	}
	schema := editorSchema(t)
	for _, test := range tests {
		node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: []byte(test.text)}, manifest.YAML)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(node.AppendJSON(nil)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); (err == nil) != test.ok {
			t.Errorf("%s\nthe editor says %v, want ok: %v", test.text, err, test.ok)
		}
		if problems := checkCrosswalk(node); (len(problems) == 0) != test.ok {
			t.Errorf("%s\nLoad says %v, want ok: %v", test.text, problems, test.ok)
		}
	}
}
