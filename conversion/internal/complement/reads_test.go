package complement_test

import "testing"

func TestReads(t *testing.T) {
	union := tables{
		beta: "http: {type: object, properties: {path: {type: string}}}, tcp: {type: object, properties: {port: {type: integer}}}",
		v1:   "probe: {type: object, properties: {type: {type: string}, http: {type: object, properties: {path: {type: string}}}, tcp: {type: object, properties: {port: {type: integer}}}}}",
		rows: "[{spoke: .spec.http, hub: .spec.probe.http}, {spoke: .spec.tcp, hub: .spec.probe.tcp}, {spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.probe.type, variant: {}}]",
	}
	inDefault := tables{
		beta: "o: {type: object, properties: {kind: {type: string}, of: {type: object}}}",
		v1:   "all: {type: object, default: {a: {up: true}}, properties: {a: {type: object, properties: {up: {type: boolean}}}, b: {type: object}, more: {type: integer}}}",
		rows: "[{spoke: {type: .spec.o.kind, value: .spec.o.of}, hub: {A: .spec.all.a, B: .spec.all.b}, variant: {alternatives: [{name: A}]}}]",
	}
	withDefault := tables{
		beta: "o: {type: object, properties: {up: {type: boolean}}}",
		v1:   "o: {type: object, properties: {t: {type: string}, of: {type: object, properties: {up: {type: boolean, default: false}}}}}",
		rows: `[{hub: .spec.o.t, cel: {toHub: "'t'"}}, {spoke: .spec.o.up, hub: .spec.o.of.up, default: {spoke: false}}]`,
	}
	tell(t, []story{
		{name: "an element that a default makes is there after an edit that takes the default", tables: tables{
			beta: "l: {type: array, items: {type: object, properties: {t: {type: string}, v: {type: string}}}}, x: {type: string}",
			v1:   "o: {type: object, default: {b: web, d: w}, properties: {b: {type: string}, d: {type: string}}}",
			rows: "[{spoke: .spec.l, hub: {b: .spec.o.b}, where: [{match: {.t: B}, place: b, rows: [{spoke: .v, hub: .}]}]}, {spoke: .spec.x, hub: .spec.o.d}]",
		}, object: "{l: []}", there: "{o: {b: web, d: w}}", edited: "{o: {b: web}}", back: "{l: [{t: B, v: web}]}"},
		{name: "an edit counts that leaves of a default what a row does not read", tables: inDefault, object: "{}", there: "{all: {a: {up: true}}}",
			edited: "{all: {a: {}}}", back: "{o: {kind: A, of: {}}}"},
		{name: "an edit beside what a row reads of a default does not count", tables: inDefault, object: "{}", edited: "{all: {a: {up: true}, more: 1}}", back: "{}"},
		{name: "an edit counts that makes an object to which a default is added", tables: withDefault, object: "{}", edited: "{o: {t: t, of: {}}}", back: "{o: {}}"},
		{name: "an edit of a default does not count beside it", tables: tables{
			beta: "level: {type: string}", v1: "all: {type: object, default: {f: x}, properties: {f: {type: string}, m: {type: string}}}",
			rows: "[{spoke: .spec.level, hub: .spec.all.m, values: {warn: W, warning: W}, inverse: {W: warning}}]",
		}, object: "{level: warn}", there: "{all: {f: x, m: W}}", edited: "{all: {f: z, m: W}}", back: "{level: warn}"},
		{name: "an edit counts that takes something else from a default", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}, l: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}}}",
			v1:   "all: {type: object, default: {f: x, b: z}, properties: {f: {type: string}, b: {type: string}}}",
			rows: "[{spoke: .spec.o.a, hub: .spec.all.f, values: {A: q}, closed: true}, {spoke: .spec.o.l, hub: {B: .spec.all.b}, entries: {name: name, value: value}}]",
		}, object: "{o: {}}", there: "{all: {f: x, b: z}}", edited: "{all: {b: z}}", back: "{o: {l: [{name: B, value: z}]}}"},
		{name: "an edit counts that removes the object in which something was absent", tables: tables{
			beta: "o: {type: object}, a: {type: string}", v1: "o: {type: object, properties: {b: {type: string}}}", rows: "[{spoke: .spec.a, hub: .spec.o.b, default: {spoke: x}}]",
		}, from: "v1", object: "{o: {}}", there: "{o: {}}", edited: "{}", back: "{o: {b: x}}"},
		{name: "an edit counts that removes the object in which another one was absent", tables: tables{
			beta: "o: {type: object, properties: {f: {type: object, properties: {p: {type: string}}}}}",
			v1:   "o: {type: object, properties: {f: {type: object, properties: {p: {type: string}, t: {type: string}}}}}",
			rows: `[{spoke: .spec.o.f.p, hub: .spec.o.f.p}, {hub: .spec.o.f.t, cel: {toHub: "'t'"}}]`,
		}, from: "v1", object: "{o: {}}", there: "{o: {}}", edited: "{}", back: "{o: {f: {t: t}}}"},
		{name: "an edit counts that removes the object of which a default tells the alternative", tables: tables{
			beta: "a: {type: object}, b: {type: object}, c: {type: string}, m: {type: string}",
			v1:   "u: {type: object, properties: {kind: {type: string, default: A}, value: {type: object}, c: {type: string}, more: {type: string}}}",
			rows: "[{spoke: {A: .spec.a, B: .spec.b, C: .spec.c}, hub: {type: .spec.u.kind, value: .spec.u.value}, variant: {elsewhere: [C]}}, {spoke: .spec.c, hub: .spec.u.c}, {spoke: .spec.m, hub: .spec.u.more}]",
		}, object: "{a: {}, b: {}, m: x}", there: "{u: {kind: A, more: x}}", edited: "{}", back: "{}"},
		{name: "an edit counts that makes an object with a default", tables: withDefault, object: "{}", there: "{o: {t: t}}", edited: "{o: {t: t, of: {up: false}}}", back: "{o: {}}"},
		// Both edits make of the port what was made before.
		{name: "an edit that makes the same again of a template counts", tables: join, object: `{address: "h:080"}`, there: "{host: h, port: 80}",
			kept: []string{`.spec.address "h:080" IF`}, edited: "{host: i, port: 80}", back: `{address: "i:80"}`},
		{name: "an edit of a place that a template reads and does not write counts", tables: join, from: "v1", object: "{port: 80}", there: "{}",
			edited: `{address: "h"}`, back: "{}"},
		{name: "values that become one are told apart by what was read", tables: levels, object: "{level: warn}", edited: "{severity: warning}", back: "{level: warning}"},
		{name: "an edit of a default counts that leaves what a row reads of it", tables: tables{
			beta: "o: {type: object, default: {of: {}, b: {}}, properties: {a: {type: object}, of: {type: object}, b: {type: object}}}",
			v1:   "kind: {type: string}, value: {type: object}, c: {type: object, properties: {x: {type: string}}}",
			rows: "[{hub: {type: .spec.kind, value: .spec.value}, spoke: {A: .spec.o.a, OF: .spec.o.of, B: .spec.o.b}, variant: {elsewhere: [B]}}, {hub: .spec.c, spoke: .spec.o.b}]",
		}, from: "v1", object: "{}", there: "{o: {of: {}, b: {}}}", edited: "{o: {b: {}}}", back: "{kind: B, c: {}}"},
		{name: "an edit counts that is inside of one alternative", tables: tables{
			beta: "p: {type: object, properties: {b: {type: string}, c: {type: integer}}}, q: {type: object}",
			v1:   "kind: {type: string}, value: {type: object, properties: {t: {type: string}}}",
			rows: "[{spoke: {A: .spec.p, B: .spec.q}, hub: {type: .spec.kind, value: .spec.value}, variant: {alternatives: [{name: B}], rows: [{spoke: {b: .b, c: .c}, hub: .t, template: '{b}[:{c}]'}]}}]",
		}, object: "{p: {c: 1}}", there: "{kind: A, value: {}}", edited: "{kind: A, value: {t: x}}", back: "{p: {b: x}}"},
		{name: "a value of no alternative ends with what says so", tables: tables{
			beta: "kind: {type: string, default: A}, value: {type: object}, c: {type: object}",
			v1:   "o: {type: object, properties: {a: {type: object}, b: {type: object}}}",
			rows: "[{hub: {A: .spec.o.a, B: .spec.o.b}, spoke: {type: .spec.kind, value: .spec.value}, variant: {elsewhere: [B]}}, {hub: .spec.o.b, spoke: .spec.c}]",
		}, object: "{kind: '', c: {}, value: {}}", there: "{o: {b: {}}}", edited: "{}", back: "{kind: A}"},
		{name: "an edit of what no row reads in the default of a list ends an absence", tables: tables{
			beta: "tcp: {type: array, items: {type: object, properties: {port: {type: integer}}}}",
			v1:   "o: {type: object, default: {rules: [{type: TCP, port: 1, more: a}]}, properties: {rules: {type: array, items: {type: object, properties: {type: {type: string}, port: {type: integer}, more: {type: string}}}}}}",
			rows: "[{spoke: {tcp: .spec.tcp}, hub: .spec.o.rules, where: [{place: tcp, match: {.type: TCP}}]}]",
		}, object: "{}", kept: []string{".spec.tcp ABSENT IF"}, edited: "{o: {rules: [{type: TCP, port: 1}]}}", back: "{tcp: [{port: 1}]}"},
		{name: "an edit in one alternative is none of another that is null", tables: tables{
			beta: "p: {type: object, properties: {x: {type: integer}}}, q: {type: object, nullable: true, properties: {x: {type: integer}}}",
			v1:   "kind: {type: string}, value: {type: object, properties: {z: {type: integer}}}",
			rows: "[{spoke: {A: .spec.p, B: .spec.q}, hub: {type: .spec.kind, value: .spec.value}, variant: {rows: [{spoke: .x, hub: .z}]}}]",
		}, object: "{p: {x: 1}, q: null}", there: "{kind: A, value: {z: 1}}", kept: []string{".spec.q null IF"}, edited: "{kind: A, value: {z: 2}}", back: "{p: {x: 2}, q: null}"},
		{name: "another alternative ends that which was kept", tables: union, object: "{http: {path: /}, tcp: {port: 1}}", back: "{http: {path: /}, tcp: {port: 1}}"},
	})
}

// TestReadsFading: what some table drops may be gone, but not be edited.
func TestReadsFading(t *testing.T) {
	absent := tables{
		beta: "o: {type: object, properties: {a: {type: string}}}", v1: "f: {type: string}", drops: ".spec.f",
		rows: `[{spoke: .spec.o.a, hub: .spec.f, default: {spoke: "a:1"}}]`,
	}
	word := tables{beta: "a: {type: string}", v1: "f: {type: string}", drops: ".spec.f", rows: "[{spoke: .spec.a, hub: .spec.f, default: {hub: x}}]"}
	tell(t, []story{
		{name: "what a row reads is lost on a visit to a version that drops it", tables: absent, object: "{o: {}}", there: `{f: "a:1"}`, visits: true},
		{name: "what a row reads is edited", tables: absent, object: "{o: {}}", edited: "{f: z}", back: "{o: {a: z}}"},
		{name: "what a row reads is edited, and makes what is dropped", tables: word, from: "v1", object: "{f: x}", there: "{a: x}", edited: "{a: z}", back: "{f: z}"},
		{name: "an object is not edited if what is dropped of it has its default", tables: tables{
			beta: "a: {type: string, default: q}, o: {type: object, properties: {g: {type: object}}}", drops: ".spec.o.f",
			v1:   "o: {type: object, properties: {f: {type: string, default: x}, g: {type: object, default: {}}}}",
			rows: "[{spoke: .spec.a, hub: .spec.o.f, crosses: true}]",
		}, object: "{a: q}", there: "{o: {f: q, g: {}}}", visits: true, back: "{a: x}"},
		{name: "what a row reads is unchanged", tables: word, from: "v1", object: "{f: x}", there: "{a: x}"},
	})
}

// TestReadsSeen: what only the other version has of an object says nothing of whether it is needed here.
func TestReadsSeen(t *testing.T) {
	tell(t, []story{{
		name: "a constant is left where a row wrote something", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}, c: {type: string}}}", v1: "a: {type: string}, o: {type: object}",
			rows: "[{spoke: .spec.o.a, hub: .spec.a}, {spoke: .spec.o.c, constant: x}]",
		}, from: "v1", object: "{a: z}", there: "{o: {a: z, c: x}}", edited: "{o: {c: x}}", back: "{o: {}}",
	}})
}

// TestReadsAnnotations: an annotation that is absent stays absent, though the stash makes the annotations.
func TestReadsAnnotations(t *testing.T) {
	c := compiled(t, tables{beta: "a: {type: string}", v1: "b: {type: string}", rows: "[{spoke: '.metadata.annotations[''example.com/x'']', hub: .spec.b, default: {spoke: q}, crosses: true}]"})
	for _, metadata := range []string{"{name: a}", "{name: a, annotations: {example.com/y: z}}"} {
		object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: "+metadata+", spec: {}}").(map[string]any)
		there, _ := converted(t, c, object, "v1")
		back, _ := converted(t, c, there, "v1beta1")
		compare(t, "what comes back", back, object)
	}
}
