package complement_test

import "testing"

func TestDifference(t *testing.T) {
	defaulted := tables{
		beta: "o: {type: object, default: {a: x}, properties: {a: {type: string}, only: {type: string}}}",
		v1:   "o: {type: object, properties: {a: {type: string}}}",
		rows: "[{spoke: .spec.o.a, hub: .spec.o.a, default: {spoke: x}}]",
	}
	inDefault := tables{
		beta: "o: {type: object, default: {a: x, only: z}, properties: {a: {type: string}, only: {type: string}, inner: {type: object, properties: {b: {type: string}, own: {type: string}}}}}",
		v1:   "o: {type: object, properties: {a: {type: string}, inner: {type: object, properties: {b: {type: string}}}}}",
		rows: "[]",
	}
	dropped := tables{
		beta: "o: {type: object, properties: {a: {type: string}}}",
		v1:   "o: {type: object, default: {a: x, only: z, old: q}, properties: {a: {type: string}, only: {type: string}, old: {type: string}}}",
		rows: "[{hub: .spec.o.old, drop: it has no meaning any more}]",
	}
	fading := tables{
		beta: "o: {type: object, default: {a: x, old: q}, properties: {a: {type: string}, old: {type: string}}}",
		v1:   "a: {type: string}, old: {type: string}",
		rows: "[{spoke: .spec.o.a, hub: .spec.a}, {spoke: .spec.o.old, hub: .spec.old}]", drops: ".spec.old",
	}
	tell(t, []story{
		{name: "what this table drops of a default comes back with the default", tables: dropped, from: "v1", object: "{}", there: "{o: {a: x}}",
			kept: []string{`.spec.o {"a":"x","old":"q","only":"z"} IF`, `.spec.o.only "z"`}, back: "{o: {a: x, only: z, old: q}}"},
		{name: "an object with a default is here, even if a third version drops all of it", tables: fading, object: "{o: {old: w}}", there: "{old: w}",
			kept: []string{".spec.o {} IF"}, edited: "{}", back: "{o: {}}"},
		{name: "an empty object that both versions have is here, since there is nothing in it to drop", tables: tables{
			beta: "o: {type: object, default: {old: q}, properties: {old: {type: string}}}", v1: "o: {type: object, properties: {old: {type: string}}}", rows: "[]", drops: ".spec.o.old",
		}, object: "{o: {}}", there: "{o: {}}", kept: []string{}, back: "{o: {}}"},
		{name: "the default itself is nothing to keep, even if a third version drops all of it", tables: tables{
			beta: "o: {type: object, default: {old: q}, properties: {old: {type: string}}}", v1: "old: {type: string}", rows: "[{spoke: .spec.o.old, hub: .spec.old}]", drops: ".spec.old",
		}, object: "{o: {old: q}}", there: "{old: q}", kept: []string{}},
		{name: "who sets what such an object has no more adds to it", tables: fading, object: "{o: {old: w}}",
			edited: "{a: y}", back: "{o: {a: y}}"},
		{name: "an object of which a third version drops a part is here by the rest", tables: fading, object: "{o: {a: y, old: w}}", there: "{a: y, old: w}",
			kept: []string{}, edited: "{a: y}", back: "{o: {a: y}}"},
		{name: "an edit in the object is no default, and what it does not show is kept", tables: dropped, from: "v1", object: "{}",
			edited: "{o: {a: w}}", back: "{o: {a: w, only: z}}"},
		{name: "what this table drops of an object that is not the default is gone", tables: dropped, from: "v1", object: "{o: {a: x, only: z, old: w}}", there: "{o: {a: x}}",
			kept: []string{`.spec.o.only "z"`}, back: "{o: {a: x, only: z}}"},
		{name: "who edits what a default shows gets what it does not show", tables: inDefault, object: "{}", there: "{o: {a: x}}",
			kept: []string{`.spec.o.only "z"`}, edited: "{o: {a: w}}", back: "{o: {a: w, only: z}}"},
		{name: "what a default has in objects of both versions, too", tables: tables{
			beta: "o: {type: object, default: {inner: {b: x, own: z}}, properties: {inner: {type: object, properties: {b: {type: string}, own: {type: string}}}}}", v1: inDefault.v1, rows: "[]"},
			object: "{}", there: "{o: {inner: {b: x}}}", kept: []string{`.spec.o.inner.own "z"`}, edited: "{o: {inner: {b: w}}}", back: "{o: {inner: {b: w, own: z}}}"},
		{name: "what a default has in elements of lists, too", tables: tables{
			beta: "o: {type: object, default: {l: [{n: a}, {n: b, own: z}], c: x}, properties: {c: {type: string}, l: {type: array, items: {type: object, properties: {n: {type: string}, own: {type: string}}}}}}",
			v1:   "o: {type: object, properties: {c: {type: string}, l: {type: array, items: {type: object, properties: {n: {type: string}}}}}}",
			rows: "[{spoke: .spec.o.l, hub: .spec.o.l, each: {}}]",
		}, object: "{}", there: "{o: {l: [{n: a}, {n: b}], c: x}}", kept: []string{`.spec.o.l[content 0].own "z"`},
			edited: "{o: {l: [{n: b}, {n: a}], c: w}}", back: "{o: {l: [{n: b, own: z}, {n: a}], c: w}}"},
		{name: "a list with rows for its elements is dropped by a third version, too", tables: tables{
			beta: "o: {type: object, default: {inner: {own: q}}, properties: {inner: {type: object, default: {}, properties: {l: {type: array, items: {type: object, properties: {n: {type: string}}}}, own: {type: string}}}}}",
			v1:   "l: {type: array, items: {type: object, properties: {n: {type: string}, m: {type: string}}}}", rows: "[{spoke: .spec.o.inner.l, hub: .spec.l, each: {}}]", drops: ".spec.l",
		}, object: "{o: {inner: {l: []}}}", there: "{l: []}", kept: []string{".spec.o {} IF"}, edited: "{}", back: "{o: {inner: {}}}"},
		{name: "a part of a default is kept if the default comes back without the object around it", tables: tables{
			beta: "o: {type: object, properties: {c: {type: string}, d: {type: object, default: {own: x, more: z}, properties: {a: {type: string}, own: {type: string}, more: {type: string}}}}}",
			v1:   "a: {type: string}, c: {type: string}", rows: "[{spoke: .spec.o.c, hub: .spec.c}, {spoke: .spec.o.d.a, hub: .spec.a}]",
		}, object: "{o: {c: w, d: {own: x}}}", there: "{c: w}", edited: "{}", back: "{o: {d: {own: x}}}"},
		{name: "an object that is here has the default inside of which rows map a part", tables: tables{
			beta: "p: {type: object, properties: {mode: {type: string}}}",
			v1:   "o: {type: object, default: {}, properties: {inner: {type: object, default: {kind: none}, properties: {kind: {type: string}}}, old: {type: string}}}",
			rows: "[{hub: .spec.o.inner.kind, spoke: .spec.p.mode, values: {a: A}, closed: true}, {hub: .spec.o.old, drop: it has no meaning any more}]",
		}, from: "v1", object: "{o: {inner: {kind: none}, old: w}}", there: "{}", kept: []string{`.spec.o {"inner":{"kind":"none"}} IF`}, back: "{o: {inner: {kind: none}}}"},
		{name: "what differs in an object is kept by member", tables: nested, object: "{o: {a: x, only: z}}", there: "{o: {a: x}}", kept: []string{`.spec.o.only "z"`}},
		{name: "an object that only one version has is kept in one piece", tables: tables{beta: "o: {type: object, properties: {a: {type: string}, b: {type: object, properties: {c: {type: string}}}}}", v1: "x: {type: string}", rows: "[]"},
			object: "{o: {a: x, b: {c: v}}}", there: "{}", kept: []string{`.spec.o {"a":"x","b":{"c":"v"}}`}},
		{name: "an empty object that only one version has is kept", tables: tables{beta: "o: {type: object, properties: {a: {type: string}}}", v1: "x: {type: string}", rows: "[]"},
			object: "{o: {}}", there: "{}", kept: []string{".spec.o {}"}},
		{name: "a null where there may be none is nothing", tables: move, object: "{a: x, only: null}", there: "{b: x}", kept: []string{}, back: "{a: x}"},
		{name: "a default that is stated is nothing", tables: tables{beta: "a: {type: string}, only: {type: string, default: d}", v1: "a: {type: string}", rows: "[]"},
			object: "{a: x, only: d}", there: "{a: x}", kept: []string{}},
		{name: "other spellings of a number are the same", tables: tables{beta: "a: {type: number}", v1: "b: {type: string}", rows: "[{spoke: .spec.a, hub: .spec.b, scalar: {}}]"},
			object: "{a: 1.0}", kept: []string{}, back: "{a: 1}"},
		{name: "what the table drops is not kept", tables: tables{beta: "a: {type: string}, old: {type: string}", v1: "a: {type: string}", rows: "[{spoke: .spec.old, drop: it has no meaning any more}]"},
			object: "{a: x, old: z}", there: "{a: x}", kept: []string{}, back: "{a: x}"},
		{name: "the own member of an object that a default makes is kept", tables: defaulted, object: "{o: {a: x, only: z}}", back: "{o: {a: x, only: z}}"},
		{name: "a value that the other version cannot show is kept", tables: tables{beta: "c: {type: integer}", v1: "d: {type: string}", rows: "[{spoke: .spec.c, hub: .spec.d, scalar: {hub: duration, unit: m}}]"},
			from: "v1", object: "{d: 90s}", there: "{}", kept: []string{`.spec.d "90s" IF`}, edited: "{c: 2}", back: "{d: 2m0s}"},
		{name: "the elements that the other version cannot show come back into a list that is empty without them", tables: parted, from: "v1", object: "{rules: [{type: UDP, port: 1}]}",
			there: "{}", kept: []string{`.spec.rules ORDER {"port":1,"type":"UDP"}`, `.spec.rules [] IF`}, edited: "{tcp: [{port: 2}]}", back: "{rules: [{type: UDP, port: 1}, {type: TCP, port: 2}]}"},
		{name: "they come back without an edit", tables: parted, from: "v1", object: "{rules: [{type: UDP, port: 1}]}"},
		{name: "metadata is taken over as it is", tables: move, object: "{}", there: "{}", kept: []string{}},
		{name: "an absence is kept where rows make something", tables: stated, from: "v1", object: "{}", there: "{}", kept: []string{".spec.protocol ABSENT IF"}},
	})
}
