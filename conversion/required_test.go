package conversion_test

import (
	"strings"
	"testing"
)

// What one version requires and the other leaves out is warned of, with what mends it: with
// that, nothing is left to warn of.
func TestRequiredInOneVersion(t *testing.T) {
	const text = "{type: string}"
	need := func(names, members string) string {
		return "spec: {type: object, required: [" + names + "], properties: {" + members + "}}"
	}
	object := func(names, members string) string {
		return "{type: object, required: [" + names + "], properties: {" + members + "}}"
	}
	checkWarnings(t, map[string]warning{
		"the same path": {spec("s: " + text), need("s", "s: "+text), `[]`,
			"v1beta1: v1 requires .spec.s, but v1beta1 does not: an object without it still converts, but a client that changes it in v1 has to add it; add a default to it in the v1beta1 schema, or write the value that absence means: {spoke: .spec.s, hub: .spec.s, default: {spoke: ...}}",
			`[{spoke: .spec.s, hub: .spec.s, default: {spoke: x}}]`},
		"in the spoke": {need("s, u", "s: "+text+", u: "+text), spec("s: " + text + ", u: " + text), `[]`,
			"v1beta1: v1beta1 requires .spec.s, .spec.u, but v1 does not: an object without them still converts, but a client that changes it in v1beta1 has to add them; add a default to them in the v1 schema, or write the value that absence means: {spoke: .spec.s, hub: .spec.s, default: {hub: ...}}, {spoke: .spec.u, hub: .spec.u, default: {hub: ...}}",
			`[{spoke: .spec.s, hub: .spec.s, default: {hub: x}}, {spoke: .spec.u, hub: .spec.u, default: {hub: x}}]`},
		"an object": {spec("o: {type: object}"), need("o", "o: {type: object}"), `[]`,
			"v1beta1: v1 requires .spec.o, but v1beta1 does not: an object without it still converts, but a client that changes it in v1 has to add it; add a default to it in the v1beta1 schema", ""},
		"in a list that is the same but for that": {spec("l: {type: array, items: " + object("", "s: "+text) + "}"), spec("l: {type: array, items: " + object("s", "s: "+text) + "}"), `[]`,
			"v1beta1: v1 requires .spec.l.s, but v1beta1 does not: an object without it still converts, but a client that changes it in v1 has to add it; add a default to it in the v1beta1 schema, or write the value that absence means: {spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: ...}}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: x}}]}}]`},
		"in elements that differ": {spec("l: {type: array, items: " + object("", "s: "+text+", t: "+text) + "}"), spec("l: {type: array, items: " + object("s", "s: "+text) + "}"), `[]`,
			"v1beta1: v1 requires .spec.l.s, but v1beta1 does not: an object without it still converts, but a client that changes it in v1 has to add it; add a default to it in the v1beta1 schema, or write the value that absence means: {spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: ...}}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: x}}]}}]`},
		"a rename": {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1 requires .spec.x, but v1beta1 does not require .spec.s: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.s in the v1beta1 schema, or write the value that its absence means: default: {spoke: ...}",
			`[{spoke: .spec.s, hub: .spec.x, default: {spoke: x}}]`},
		"a list under another name": {spec("l: {type: array, items: " + text + "}"), need("m", "m: {type: array, items: "+text+"}"), `[{spoke: .spec.l, hub: .spec.m, each: {}}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): v1 requires .spec.m, but v1beta1 does not require .spec.l: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.l in the v1beta1 schema", ""},
		"values": {need("s", "s: "+text), spec("x: " + text), `[{spoke: .spec.s, hub: .spec.x, values: {a: b}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1beta1 requires .spec.s, but v1 does not require .spec.x: an object without it still converts, but a client that changes it in v1beta1 has to add the field; add a default to .spec.x in the v1 schema, or write the value that its absence means: default: {hub: ...}",
			`[{spoke: .spec.s, hub: .spec.x, values: {a: b}, default: {hub: x}}]`},
		"in an object that may be missing": {spec("b: {type: object, properties: {a: " + text + "}}"), need("k", "k: "+text), `[{spoke: .spec.b.a, hub: .spec.k}]`,
			"v1beta1 row 1 (.spec.b.a <-> .spec.k): v1 requires .spec.k, but v1beta1 does not require .spec.b.a: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.b and .spec.b.a in the v1beta1 schema, or write the value that the absence of .spec.b.a means: default: {spoke: ...}",
			`[{spoke: .spec.b.a, hub: .spec.k, default: {spoke: x}}]`},
		"in the spoke, of an object": {need("k", "k: "+text), spec("b: {type: object, properties: {a: " + text + "}}"), `[{spoke: .spec.k, hub: .spec.b.a}]`,
			"v1beta1 row 1 (.spec.k <-> .spec.b.a): v1beta1 requires .spec.k, but v1 does not require .spec.b.a: an object without it still converts, but a client that changes it in v1beta1 has to add the field; add a default to .spec.b and .spec.b.a in the v1 schema, or write the value that the absence of .spec.b.a means: default: {hub: ...}",
			`[{spoke: .spec.k, hub: .spec.b.a, default: {hub: x}}]`},
		"required in an object that may be missing": {spec("b: " + object("a", "a: "+text)), need("k", "k: "+text), `[{spoke: .spec.b.a, hub: .spec.k}]`,
			"v1beta1 row 1 (.spec.b.a <-> .spec.k): v1 requires .spec.k, but v1beta1 does not require .spec.b: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.b in the v1beta1 schema, or write the value that the absence of .spec.b.a means: default: {spoke: ...}",
			`[{spoke: .spec.b.a, hub: .spec.k, default: {spoke: x}}]`},
		"required in an object that both may miss": {spec("b: " + object("", "a: "+text)), need("k", "k: "+text+", b: {type: object, properties: {c: "+text+"}}"), `[{spoke: .spec.b.a, hub: .spec.k}, {hub: .spec.b.c}]`,
			"v1beta1 row 1 (.spec.b.a <-> .spec.k): v1 requires .spec.k, but v1beta1 does not require .spec.b.a: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.b and .spec.b.a in the v1beta1 schema, or write the value that the absence of .spec.b.a means: default: {spoke: ...}",
			`[{spoke: .spec.b.a, hub: .spec.k, default: {spoke: x}}, {hub: .spec.b.c}]`},
		"in an object of elements": {spec("l: {type: array, items: " + object("key", "key: "+text) + "}"), spec("l: {type: array, items: " + object("", "extract: "+object("key", "key: "+text)) + "}"), `[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .key, hub: .extract.key}]}}]`,
			"v1beta1 row 1, each row 1 (.key <-> .extract.key): v1beta1 requires .spec.l.key, but v1 does not require .spec.l.extract: an object without it still converts, but a client that changes it in v1beta1 has to add the field; add a default to .extract in the v1 schema, or write the value that the absence of .extract.key means: default: {hub: ...}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .key, hub: .extract.key, default: {hub: x}}]}}]`},
		"what the row takes for its absence": {need("a", "a: "+text), need("k", "k: "+text), `[{spoke: .spec.a, hub: .spec.k, default: {hub: ""}}]`,
			`v1beta1 row 1 (.spec.a <-> .spec.k): v1 requires .spec.k, but default: {hub: ""} omits the field for that value: an object without it still converts, but a client that changes it in v1 has to add the field; remove that default, or compute both sides with cel, which always writes the value`,
			`[{spoke: .spec.a, hub: .spec.k}]`},
		"absences that correspond": {spec("a: " + text), need("k", "k: "+text), `[{spoke: .spec.a, hub: .spec.k, default: {spoke: x, hub: x}}]`,
			`v1beta1 row 1 (.spec.a <-> .spec.k): v1 requires .spec.k, but default: {hub: "x"} omits the field for that value: an object without it still converts, but a client that changes it in v1 has to add the field; remove that default, or compute both sides with cel, which always writes the value`,
			`[{spoke: .spec.a, hub: .spec.k, default: {spoke: x}}]`},
		"an expression that may give nothing": {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s", toSpoke: self.spec.x}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1 requires .spec.x, but toHub may return no value: an object without it still converts, but a client that changes it in v1 has to add the field; make it always return a value, for example with .orValue(...)",
			`[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s.orValue('')", toSpoke: self.spec.x}}]`},
		"an expression of what is there":   {need("s", "s: "+text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.?spec.?s", toSpoke: self.spec.x}}]`, "", ""},
		"in objects that are always there": {need("b", "b: "+object("a", "a: "+text)), need("k", "k: "+text), `[{spoke: .spec.b.a, hub: .spec.k}]`, "", ""},
		"in an object with a default":      {spec("b: {type: object, default: {a: x}, required: [a], properties: {a: " + text + "}}"), need("k", "k: "+text), `[{spoke: .spec.b.a, hub: .spec.k}]`, "", ""},
		"beside what it is made of":        {spec("b: " + object("a", "a: "+text)), spec("b: " + object("k", "k: "+text)), `[{spoke: .spec.b.a, hub: .spec.b.k}]`, "", ""},
		"the schema's word on absence":     {need("a", "a: "+text), need("k", "k: {type: string, default: x}"), `[{spoke: .spec.a, hub: .spec.k, default: {hub: x, spoke: x}}]`, "v1beta1 row 1 (.spec.a <-> .spec.k): v1beta1 requires .spec.a, but default: {spoke: \"x\"} omits the field for that value: an object without it still converts, but a client that changes it in v1beta1 has to add the field; remove that default, or compute both sides with cel, which always writes the value", ""},
		"in both":                          {need("s", "s: "+text), need("s", "s: "+text), `[]`, "", ""},
		"with a default":                   {spec("s: {type: string, default: x}"), need("s", "s: {type: string, default: x}"), `[]`, "", ""},
		"in an object of one alone":        {spec("s: " + text), spec("o: " + object("s", "s: "+text)), `[{spoke: .spec.s, hub: .spec.o.s}]`, "", ""},
		"what is there by presence":        {spec("o: {type: object}"), need("b", "b: {type: boolean}"), `[{spoke: .spec.o, hub: .spec.b, boolean: {presence: spoke}}]`, "", ""},
		"what every object has":            {spec("s: " + text), "metadata: {type: object}\n" + spec("s: "+text), `[]`, "", ""},
		"a member with another row":        {spec("s: " + text), need("s", "s: "+text), `[{spoke: .spec.s, drop: gone}, {hub: .spec.s, constant: x}]`, "", ""},
		"an expression says for all":       {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s.orValue('')", toSpoke: self.spec.x}}]`, "", ""},
	})
}

// A row of a named table is warned of once, wherever the table is used.
func TestRequiredByARowOfATable(t *testing.T) {
	of := func(inner string) string {
		return spec("a: " + inner + ", b: " + inner)
	}
	c, err := tabled(t, of("{type: object, required: [k], properties: {k: {type: string}}}"), of("{type: object, properties: {at: {type: object, properties: {k: {type: string}}}}}"),
		`tables: {t: [{spoke: .k, hub: .at.k}]},
		rows: [{spoke: .spec.a, hub: .spec.a, table: t}, {spoke: .spec.b, hub: .spec.b, table: t}]`)
	if err != nil {
		t.Fatal(err)
	}
	if warnings := c.Warnings(); len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "v1 does not require .spec.a.at.k") {
		t.Errorf("warnings: %v", warnings)
	}
}
