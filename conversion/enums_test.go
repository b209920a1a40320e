package conversion_test

import "testing"

// What passes to a place whose enum has not got it is warned of, with the row that
// mends it: with that row, nothing is left to warn of.
func TestNarrowerEnums(t *testing.T) {
	const wide, narrow = "{type: string, enum: [a, b, c]}", "{type: string, enum: [a, b]}"
	const apart = "write a one-sided row for each of the two fields, which keeps the values for their own version"
	list := func(of string) string { return "{type: array, items: {type: object, properties: {s: " + of + "}}}" }
	printed := func(from, values, at, to, enum, there string) string {
		return from + " allows " + values + " in " + at + ", but " + to + " only allows " + enum + " in " + there +
			": other values are passed unchanged, but an object with such a value can't be written in " + to + "; map the values, and keep other values: "
	}
	checkWarnings(t, map[string]warning{
		"the same path": {spec("s: " + wide), spec("s: " + narrow), `[]`,
			"v1beta1: " + printed("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}]`},
		"any text": {spec("s: " + narrow), spec("s: {type: string}"), `[]`,
			"v1beta1: " + printed("v1", "any value", ".spec.s", "v1beta1", `"a", "b"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}]`},
		"no value in common": {spec("s: " + narrow), spec("s: {type: string, enum: [x, z]}"), `[]`,
			"v1beta1: v1beta1 allows \"a\", \"b\" in .spec.s, but v1 only allows \"x\", \"z\" in .spec.s: other values are passed unchanged, but an object with such a value can't be written in v1; " +
				"map each value to the one with the same meaning, and keep other values, for example with {spoke: .spec.s, hub: .spec.s, values: {a: x}, closed: true}\n" +
				"v1beta1: v1 allows \"x\", \"z\" in .spec.s, but v1beta1 only allows \"a\", \"b\" in .spec.s: other values are passed unchanged, but an object with such a value can't be written in v1beta1; " +
				"map each value to the one with the same meaning, and keep other values, for example with {spoke: .spec.s, hub: .spec.s, values: {a: x}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {a: x}, closed: true}]`},
		"one value in common": {spec("s: " + narrow), spec("s: {type: string, enum: [b, c]}"), `[]`,
			"v1beta1: " + printed("v1beta1", `"a"`, ".spec.s", "v1", `"b", "c"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {b: b}, closed: true}\n" +
				"v1beta1: " + printed("v1", `"c"`, ".spec.s", "v1beta1", `"a", "b"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {b: b}, closed: true}]`},
		"null alone": {spec("s: {type: string}"), spec("s: {type: string, nullable: true, enum: [null]}"), `[]`,
			"v1beta1: v1beta1 allows any value in .spec.s, but v1 only allows null in .spec.s: other values are passed unchanged, but an object with such a value can't be written in v1; " + apart,
			`[{spoke: .spec.s}, {hub: .spec.s}]`},
		"null alone beside an enum": {spec("s: " + narrow), spec("s: {type: string, nullable: true, enum: [null]}"), `[]`,
			"v1beta1: v1beta1 allows \"a\", \"b\" in .spec.s, but v1 only allows null in .spec.s: other values are passed unchanged, but an object with such a value can't be written in v1; " + apart,
			`[{spoke: .spec.s}, {hub: .spec.s}]`},
		"a move": {spec("s: " + wide), spec("x: " + narrow), `[{spoke: .spec.s, hub: .spec.x}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): " + printed("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.x") + "add to the row: values: {a: a, b: b}, closed: true",
			`[{spoke: .spec.s, hub: .spec.x, values: {a: a, b: b}, closed: true}]`},
		"in a list": {spec("l: " + list(wide)), spec("l: " + list(narrow)), `[]`,
			"v1beta1: " + printed("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.l.s") + "{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"in elements that a row ties": {spec("l: " + list(wide)), spec("m: " + list(narrow)), `[{spoke: .spec.l, hub: .spec.m, each: {}}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): " + printed("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.m.s") + "add to the rows of each: {spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.l, hub: .spec.m, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"in a list that a row moves": {spec("l: " + list(wide)), spec("m: " + list(narrow)), `[{spoke: .spec.l, hub: .spec.m}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): " + printed("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.m.s") + "add to the row: each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}",
			`[{spoke: .spec.l, hub: .spec.m, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"in a list within elements that a row ties": {spec("l: {type: array, items: {type: object, properties: {k: " + list(wide+", x: {type: string}") + "}}}"), spec("m: {type: array, items: {type: object, properties: {k: " + list(narrow) + "}}}"), `[{spoke: .spec.l, hub: .spec.m, each: {}}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): " + printed("v1beta1", `"c"`, ".spec.l.k.s", "v1", `"a", "b"`, ".spec.m.k.s") + "add to the rows of each: {spoke: .k, hub: .k, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}",
			`[{spoke: .spec.l, hub: .spec.m, each: {rows: [{spoke: .k, hub: .k, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]}}]`},
		"beside a default": {spec("s: " + wide), spec("s: " + narrow), `[{spoke: .spec.s, hub: .spec.s, default: {spoke: a}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.s): " + printed("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.s") + "add to the row: values: {a: a, b: b}, closed: true",
			`[{spoke: .spec.s, hub: .spec.s, default: {spoke: a}, values: {a: a, b: b}, closed: true}]`},
		"a single element": {spec("o: {type: object, properties: {s: " + wide + "}}"), spec("l: " + list(narrow)), `[{spoke: .spec.o, hub: .spec.l, single: {}}]`,
			"v1beta1 row 1 (.spec.o <-> .spec.l): " + printed("v1beta1", `"c"`, ".spec.o.s", "v1", `"a", "b"`, ".spec.l.s") + "add to the rows of single: {spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.o, hub: .spec.l, single: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"a part of a list": {spec("o: {type: object, properties: {s: " + wide + "}}"), spec("l: " + list(narrow+", kind: {type: string}")), `[{spoke: {x: .spec.o}, hub: .spec.l, where: [{place: x, match: {.kind: X}}]}]`,
			"v1beta1 row 1 (.spec.o <-> .spec.l): " + printed("v1beta1", `"c"`, ".spec.o.s", "v1", `"a", "b"`, ".spec.l.s") + "add to the rows of its part x: {spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}",
			`[{spoke: {x: .spec.o}, hub: .spec.l, where: [{place: x, match: {.kind: X}, rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}]}]`},
		"wrapped": {spec("l: {type: array, items: " + wide + "}"), spec("l: " + list(narrow)), `[{spoke: .spec.l, hub: .spec.l, wrap: s}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.l): " + printed("v1beta1", `"c"`, ".spec.l", "v1", `"a", "b"`, ".spec.l.s") + "replace wrap with each: {rows: [{spoke: ., hub: .s, values: {a: a, b: b}, closed: true}]}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: ., hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"the values of a map": {spec("l: " + list(wide+", name: {type: string}")), spec("m: {type: object, additionalProperties: " + narrow + "}"), `[{spoke: .spec.l, hub: .spec.m, keyed: {key: name, value: s}}]`,
			"v1beta1 row 1 (.spec.l <-> .spec.m): " + printed("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.m") + "replace keyed with keyed: {key: name, rows: [{spoke: .s, hub: ., values: {a: a, b: b}, closed: true}]}",
			`[{spoke: .spec.l, hub: .spec.m, keyed: {key: name, rows: [{spoke: .s, hub: ., values: {a: a, b: b}, closed: true}]}}]`},
		"entries": {spec("s: " + wide), spec("l: " + list(narrow+", name: {type: string}")), `[{spoke: {x: .spec.s}, hub: .spec.l, entries: {name: name, value: s}}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.l): " + printed("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.l.s") + "replace entries with where, in which this part is {place: x, match: {.name: x}, rows: [{spoke: ., hub: .s, values: {a: a, b: b}, closed: true}]}",
			`[{spoke: {x: .spec.s}, hub: .spec.l, where: [{place: x, match: {.name: x}, rows: [{spoke: ., hub: .s, values: {a: a, b: b}, closed: true}]}]}]`},
		"paths in quotes": {spec("a.b: {type: object, properties: {s: " + wide + "}}"), spec("a.b: {type: object, properties: {s: " + narrow + "}}"), `[]`,
			"v1beta1: " + printed("v1beta1", `"c"`, ".spec['a.b'].s", "v1", `"a", "b"`, ".spec['a.b'].s") + `{spoke: ".spec['a.b'].s", hub: ".spec['a.b'].s", values: {a: a, b: b}, closed: true}`,
			`[{spoke: ".spec['a.b'].s", hub: ".spec['a.b'].s", values: {a: a, b: b}, closed: true}]`},
		"alternatives with common rows": {spec("o: {type: object, properties: {s: " + wide + "}}, p: {type: object, properties: {s: " + wide + "}}"), spec("k: {type: string}, v: {type: object, properties: {s: " + narrow + "}}"),
			`[{spoke: {O: .spec.o, P: .spec.p}, hub: {type: .spec.k, value: .spec.v}, variant: {rows: [{spoke: .s, hub: .s}]}}]`,
			"v1beta1 row 1, variant row 1 (.s <-> .s): " + printed("v1beta1", `"c"`, ".spec.o.s", "v1", `"a", "b"`, ".spec.v.s") + "add to the row: values: {a: a, b: b}, closed: true",
			`[{spoke: {O: .spec.o, P: .spec.p}, hub: {type: .spec.k, value: .spec.v}, variant: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"alternatives": {spec("o: " + wide + ", p: " + wide), spec("k: {type: string}, v: " + narrow), `[{spoke: {O: .spec.o, P: .spec.p}, hub: {type: .spec.k, value: .spec.v}, variant: {}}]`,
			"v1beta1 row 1 (.spec.o, .spec.p <-> .spec.k, .spec.v): " + printed("v1beta1", `"c"`, ".spec.o", "v1", `"a", "b"`, ".spec.v") + "write variant: {rows: [{spoke: ., hub: ., values: {a: a, b: b}, closed: true}]}",
			`[{spoke: {O: .spec.o, P: .spec.p}, hub: {type: .spec.k, value: .spec.v}, variant: {rows: [{spoke: ., hub: ., values: {a: a, b: b}, closed: true}]}}]`},
		"words for booleans": {spec("s: {type: boolean}"), spec("s: {type: string, enum: ['True', 'False', Unknown]}"), `[{spoke: .spec.s, hub: .spec.s, scalar: {}}]`,
			`v1beta1 row 1 (.spec.s <-> .spec.s): scalar: "true", which a boolean is written as, is not in the enum of the field, which is "True", "False", "Unknown"; did you mean True?; replace scalar with boolean: {true: "True", false: "False"}`,
			`[{spoke: .spec.s, hub: .spec.s, boolean: {true: "True", false: "False"}}]`},
		"words of YAML": {spec("s: {type: string}"), spec("s: {type: string, enum: ['on', '1', a b, '']}"), `[{spoke: .spec.s, hub: .spec.s}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.s): " + printed("v1beta1", "any value", ".spec.s", "v1", `"on", "1", "a b", ""`, ".spec.s") + `add to the row: values: {"on": "on", "1": "1", "a b": "a b", "": ""}, closed: true`, ""},
		"alike":             {spec("s: " + narrow), spec("s: " + narrow), `[]`, "", ""},
		"a row for each":    {spec("s: " + wide), spec("s: " + narrow), `[{spoke: .spec.s}, {hub: .spec.s}]`, "", ""},
		"null is no value":  {spec("s: {type: string, nullable: true, enum: [a, null]}"), spec("s: {type: string, enum: [a]}"), `[]`, "", ""},
		"without a version": {spec("s: " + wide), spec("x: " + narrow), `[]`, "", ""},
	})
}
