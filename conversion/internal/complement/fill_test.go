package complement_test

import "testing"

func TestFill(t *testing.T) {
	around := tables{
		beta: "f: {type: array, items: {type: string}}",
		v1:   "o: {type: object, properties: {own: {type: string}, d: {type: object, default: {l: [x], m: 1}, properties: {l: {type: array, items: {type: string}}, m: {type: integer}}}}}",
		rows: "[{spoke: .spec.f, hub: .spec.o.d.l}]",
	}
	unmapped := tables{
		beta: "f: {type: boolean}", v1: "o: {type: object, properties: {own: {type: string}, d: {type: object, default: {s: q}, properties: {s: {type: string}}}}}",
		rows: "[{spoke: .spec.f, hub: .spec.o.d.s, boolean: {true: b, false: c}}]",
	}
	lacking := tables{
		beta: "o: {type: object, properties: {d: {type: object, default: {own: x}, properties: {a: {type: string}, own: {type: string}, more: {type: string}}}}}",
		v1:   "a: {type: string}", rows: "[{spoke: .spec.o.d.a, hub: .spec.a}]",
	}
	tell(t, []story{
		{name: "a default of an object around is filled in", tables: around, from: "v1", object: "{o: {own: z}}", there: "{f: [x]}", edited: "{f: [x, z]}", back: "{o: {own: z, d: {l: [x, z], m: 1}}}"},
		{name: "a default of an object around brings nothing back that a row has removed", tables: around, from: "v1", object: "{o: {own: z}}", edited: "{}", back: "{o: {own: z, d: {m: 1}}}"},
		{name: "a default of an object around that no row can map is kept", tables: unmapped, from: "v1", object: "{o: {own: z}}", there: "{}", back: "{o: {own: z, d: {s: q}}}"},
		{name: "a default that is kept gives way to an edit", tables: unmapped, from: "v1", object: "{o: {own: z}}", edited: "{f: true}", back: "{o: {own: z, d: {s: b}}}"},
		{name: "what an object lacks of its default is absent if rows make the object after an edit", tables: lacking,
			object: "{o: {d: {more: w}}}", kept: []string{`.spec.o.d.more "w"`, ".spec.o.d.own ABSENT IF"}, edited: "{a: w}", back: "{o: {d: {a: w, more: w}}}"},
		{name: "what an empty object lacks, too", tables: lacking,
			object: "{o: {d: {}}}", kept: []string{".spec.o.d {} IF", ".spec.o.d.own ABSENT IF"}, edited: "{a: w}", back: "{o: {d: {a: w}}}"},
	})
}
