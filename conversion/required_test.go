package conversion_test

import "testing"

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
			"v1beta1: v1 requires .spec.s, and v1beta1 does not: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1beta1 schema, or say what absence stands for: {spoke: .spec.s, hub: .spec.s, default: {spoke: ...}}",
			`[{spoke: .spec.s, hub: .spec.s, default: {spoke: x}}]`},
		"in the spoke": {need("s, u", "s: "+text+", u: "+text), spec("s: " + text + ", u: " + text), `[]`,
			"v1beta1: v1beta1 requires .spec.s, .spec.u, and v1 does not: an object without them converts all the same, but whoever changes it in v1beta1 has to add them; give them a default in the v1 schema, or say what absence stands for: {spoke: .spec.s, hub: .spec.s, default: {hub: ...}}, {spoke: .spec.u, hub: .spec.u, default: {hub: ...}}",
			`[{spoke: .spec.s, hub: .spec.s, default: {hub: x}}, {spoke: .spec.u, hub: .spec.u, default: {hub: x}}]`},
		"an object": {spec("o: {type: object}"), need("o", "o: {type: object}"), `[]`,
			"v1beta1: v1 requires .spec.o, and v1beta1 does not: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1beta1 schema", ""},
		"in a list that is the same but for that": {spec("l: {type: array, items: " + object("", "s: "+text) + "}"), spec("l: {type: array, items: " + object("s", "s: "+text) + "}"), `[]`,
			"v1beta1: v1 requires .spec.l.s, and v1beta1 does not: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1beta1 schema, or say what absence stands for: {spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: ...}}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: x}}]}}]`},
		"in elements that differ": {spec("l: {type: array, items: " + object("", "s: "+text+", t: "+text) + "}"), spec("l: {type: array, items: " + object("s", "s: "+text) + "}"), `[]`,
			"v1beta1: v1 requires .spec.l.s, and v1beta1 does not: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1beta1 schema, or say what absence stands for: {spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: ...}}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, default: {spoke: x}}]}}]`},
		"a rename": {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1 requires .spec.x, and v1beta1 does not require .spec.s: an object without it converts all the same, but whoever changes it in v1 has to add it; give .spec.s a default in the v1beta1 schema, or say what its absence stands for: default: {spoke: ...}",
			`[{spoke: .spec.s, hub: .spec.x, default: {spoke: x}}]`},
		"a list under another name": {spec("l: {type: array, items: " + text + "}"), need("m", "m: {type: array, items: "+text+"}"), `[{spoke: .spec.l, hub: .spec.m, each: {}}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): v1 requires .spec.m, and v1beta1 does not require .spec.l: an object without it converts all the same, but whoever changes it in v1 has to add it; give .spec.l a default in the v1beta1 schema", ""},
		"values": {need("s", "s: "+text), spec("x: " + text), `[{spoke: .spec.s, hub: .spec.x, values: {a: b}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1beta1 requires .spec.s, and v1 does not require .spec.x: an object without it converts all the same, but whoever changes it in v1beta1 has to add it; give .spec.x a default in the v1 schema, or say what its absence stands for: default: {hub: ...}",
			`[{spoke: .spec.s, hub: .spec.x, values: {a: b}, default: {hub: x}}]`},
		"an expression that may give nothing": {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s", toSpoke: self.spec.x}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): v1 requires .spec.x, and toHub may give nothing: an object without it converts all the same, but whoever changes it in v1 has to add it; let it give a value in any case, as with .orValue(...)",
			`[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s.orValue('')", toSpoke: self.spec.x}}]`},
		"an expression of what is there": {need("s", "s: "+text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.?spec.?s", toSpoke: self.spec.x}}]`, "", ""},
		"in both":                        {need("s", "s: "+text), need("s", "s: "+text), `[]`, "", ""},
		"with a default":                 {spec("s: {type: string, default: x}"), need("s", "s: {type: string, default: x}"), `[]`, "", ""},
		"in an object of one alone":      {spec("s: " + text), spec("o: " + object("s", "s: "+text)), `[{spoke: .spec.s, hub: .spec.o.s}]`, "", ""},
		"what is there by presence":      {spec("o: {type: object}"), need("b", "b: {type: boolean}"), `[{spoke: .spec.o, hub: .spec.b, boolean: {presence: spoke}}]`, "", ""},
		"what every object has":          {spec("s: " + text), "metadata: {type: object}\n" + spec("s: "+text), `[]`, "", ""},
		"a member with another row":      {spec("s: " + text), need("s", "s: "+text), `[{spoke: .spec.s, drop: gone}, {hub: .spec.s, constant: x}]`, "", ""},
		"an expression says for all":     {spec("s: " + text), need("x", "x: "+text), `[{spoke: .spec.s, hub: .spec.x, cel: {toHub: "self.spec.?s.orValue('')", toSpoke: self.spec.x}}]`, "", ""},
	})
}
