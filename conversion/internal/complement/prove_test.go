package complement_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestProve(t *testing.T) {
	moved := tables{beta: move.beta, v1: "b: {type: string}, more: {type: integer}, c: {type: string}", rows: "[{spoke: .spec.a, hub: .spec.c}]"}
	noted := tables{ // the field that v1beta1 alone had is in v1 too
		beta: move.beta, v1: "b: {type: string}, more: {type: integer}, only: {type: integer}", rows: move.rows,
	}
	renamed := tables{beta: "a: {type: string}, other: {type: integer}", v1: move.v1, rows: move.rows}
	typed := tables{beta: "a: {type: string}, only: {type: string}", v1: move.v1, rows: move.rows}
	list := func(more string) string {
		return "jobs: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, port], items: {type: object, required: [name, port], properties: {name: {type: string}, port: {type: integer}" + more + "}}}"
	}
	hidden := func(word string) tables {
		return tables{
			beta: "b: {type: object}", v1: "rules: {type: array, items: {type: object, properties: {type: {type: string}, more: {type: string}}}}",
			rows: "[{spoke: {b: .spec.b}, hub: .spec.rules, where: [{match: {.type: " + word + "}, place: b}]}]",
		}
	}
	later := hidden("B")
	whole := tables{beta: list(", only: {type: string}"), v1: list(", only: {type: string}"), rows: "[]"} // rows don't look into the list
	tell(t, []story{
		{name: "elements that rows no longer look into are found by the keys of the schema", tables: tables{beta: list(", only: {type: string}"), v1: list(""), rows: "[]"},
			object: "{jobs: [{name: a, port: 1, only: p}, {name: a, port: 2, only: q}, {name: b, port: 1}]}", later: &whole, edited: "{jobs: [{name: a, port: 2}, {name: b, port: 1}, {name: a, port: 1}]}",
			back: "{jobs: [{name: a, port: 2, only: q}, {name: b, port: 1}, {name: a, port: 1, only: p}]}"},
		{name: "what another table has kept comes back where nothing contradicts it", tables: move, object: "{a: x, only: 5}", later: &moved, edited: "{c: z}", back: "{a: z, only: 5}"},
		{name: "what another table has kept gives way to what is stated now", tables: move, object: "{a: x, only: 5}", later: &noted, edited: "{b: x, only: 6}", back: "{a: x, only: 6}", unplaced: 1},
		{name: "what another table has kept shows now where nothing is stated", tables: move, object: "{a: x, only: 5}", later: &noted},
		{name: "a field that is gone leaves its value in the stash", tables: move, object: "{a: x, only: 5}", later: &renamed, back: "{a: x}", unplaced: 1},
		{name: "a guard over what another table made is proved and not compared",
			tables: tables{beta: levels.beta, v1: levels.v1, rows: "[{spoke: .spec.level, hub: .spec.severity, values: {warn: Warning, w: Warning}, inverse: {Warning: w}}]"},
			object: "{level: warn}", later: &levels, back: "{level: warn}"},
		{name: "a value that another table kept of what was edited is not taken",
			tables: tables{beta: levels.beta, v1: levels.v1, rows: "[{spoke: .spec.level, hub: .spec.severity, values: {warn: Warning, w: Warning}, inverse: {Warning: w}}]"},
			object: "{level: warn}", later: &levels, edited: "{severity: Error}", back: "{level: Error}", unplaced: 1},
		{name: "an object that another table has kept, and of which something else is stated now, stays in the stash", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}, b: {type: string}}}", rows: "[]",
		}, object: "{o: {a: x, b: z}}", later: &tables{
			beta: "o: {type: object, properties: {a: {type: string}, b: {type: string}}}", v1: "c: {type: string}", rows: "[{spoke: .spec.o.a, hub: .spec.c}]",
		}, edited: "{c: z}", back: "{o: {a: z}}", unplaced: 1},
		{name: "an object that another table has kept replaces a default", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}}}", rows: "[]",
		}, object: "{o: {a: x}}", later: &tables{
			beta: "o: {type: object, default: {a: z}, properties: {a: {type: string}}}", v1: "o: {type: object, properties: {q: {type: string}}}", rows: "[]",
		}},
		{name: "an element that another table has kept has no more than the schema has now", tables: tables{
			beta: "l: {type: array, items: {type: object, properties: {name: {type: string}, own: {type: string}}}}", v1: "l: {type: object, properties: {name: {type: string}}}",
			rows: "[{spoke: .spec.l, hub: .spec.l, single: {}}]",
		}, object: "{l: [{name: a}, {name: b, own: q}]}", later: &tables{
			beta: "l: {type: array, items: {type: object, properties: {name: {type: string}}}}", v1: "l: {type: object, properties: {name: {type: string}}}",
			rows: "[{spoke: .spec.l, hub: .spec.l, single: {}}]",
		}, back: "{l: [{name: a}, {name: b}]}"},
		{name: "an object that another table has kept adds what is missing now", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}, b: {type: string}}}", rows: "[]",
		}, object: "{o: {a: x, b: z}}", later: &tables{
			beta: "o: {type: object, properties: {a: {type: string}, b: {type: string}}}", v1: "c: {type: string}", rows: "[{spoke: .spec.o.a, hub: .spec.c}]",
		}, edited: "{c: x}", back: "{o: {a: x, b: z}}"},
		{name: "an element stays in the stash if this table makes nothing of what hid it", tables: hidden("Ba"), from: "v1",
			object: "{rules: [{type: Ba}, {type: Ba, more: q}]}", there: "{b: {}}", later: &later, back: "{rules: [{type: B}]}", unplaced: 1},
		{name: "a value of another type is kept as it is", tables: move, object: "{a: x, only: 5}", later: &typed, back: "{a: x, only: 5}"},
	})
}

// Among many values that another table has kept, each that is valid is found, as far as the trials last.
func TestProveByHalves(t *testing.T) {
	fields := func(format string) string {
		var all []string
		for i := range 9 {
			all = append(all, fmt.Sprintf(format, i))
		}
		return strings.Join(all, ", ")
	}
	object := "{a: x, " + fields("f%d: v") + "}"
	earlier := tables{beta: move.beta + ", " + fields("f%d: {type: string}"), v1: move.v1, rows: move.rows}
	later := earlier
	later.v1 += ", f1: {type: string}, f4: {type: string}" // v1 has two of them now
	story{
		tables: earlier, object: object, later: &later, edited: "{b: x, f1: other}",
		back: strings.Replace(object, "f1: v", "f1: other", 1), unplaced: 1,
	}.run(t)
}

// TestProveMetadata: a label that an earlier table has kept comes back, though rows name no label any more.
func TestProveMetadata(t *testing.T) {
	fields := tables{beta: "f: {type: string}", v1: "f: {type: string}", rows: "[{spoke: .spec.f, hub: '.metadata.labels[''example.com/x'']', crosses: true}]"}
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {name: a, labels: {example.com/x: q}}, spec: {}}").(map[string]any)
	there, _ := converted(t, compiled(t, fields), object, "v1")
	compare(t, "what is kept", entries(t, there, "v1beta1"), []string{`.metadata.labels.example.com/x "q"`})
	fields.rows = "[]"
	back, notes := converted(t, compiled(t, fields), there, "v1beta1")
	compare(t, "what comes back", back, object)
	if notes.Unplaced > 0 {
		t.Errorf("%d entries are unplaced", notes.Unplaced)
	}
}

// TestRefused: what contradicts the stored object is not placed on the way from a version that lacks what it
// contradicts.
func TestRefused(t *testing.T) {
	fields := tables{beta: "a: {type: boolean, default: false}", v1: "b: {type: boolean}, x: {type: string}", rows: "[]", drops: ".spec.x"}
	object := decoded(t, "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {b: true}}").(map[string]any)
	stored, _ := converted(t, compiled(t, fields), object, "v1beta1")
	stored["spec"] = decoded(t, "{a: false}") // as the API server stores it
	fields.rows = "[{spoke: .spec.a, hub: .spec.b, default: {hub: false}}]"
	c := compiled(t, fields)
	visiting, notes := converted(t, c, stored, "v1alpha1")
	compare(t, "what v1alpha1 hands on", entries(t, visiting, "v1"), []string{".spec.b true UNPLACED v1beta1"})
	if notes.Unplaced != 1 {
		t.Errorf("%d entries are unplaced, want 1", notes.Unplaced)
	}
	back, _ := converted(t, c, visiting, "v1beta1")
	compare(t, "what is stored", back["spec"], stored["spec"])
	compare(t, "what stays in the stash", entries(t, back, "v1"), []string{".spec.b true UNPLACED v1beta1"})
	stored["spec"] = decoded(t, "{a: true}") // nothing contradicts it any more
	stored["metadata"] = back["metadata"]
	hub, notes := converted(t, c, stored, "v1")
	compare(t, "what the hub has again", hub["spec"], decoded(t, "{b: true}"))
	if notes.Unplaced != 0 {
		t.Errorf("%d entries are unplaced, want none", notes.Unplaced)
	}
}
