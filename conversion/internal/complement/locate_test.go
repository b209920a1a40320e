package complement_test

import "testing"

func TestLocate(t *testing.T) {
	deep := tables{
		beta: "jobs: {type: array, items: {type: object, properties: {name: {type: string}, o: {type: object, properties: {a: {type: string}, only: {type: string}}}}}}",
		v1:   "jobs: {type: array, items: {type: object, properties: {name: {type: string}, o: {type: object, properties: {a: {type: string}}}}}}",
		rows: "[{spoke: .spec.jobs, hub: .spec.jobs, each: {key: name, unique: true}}]",
	}
	variant := tables{
		beta: "cm: {type: object, properties: {name: {type: string}, only: {type: string}}}, file: {type: object, properties: {name: {type: string}, only: {type: string}}}",
		v1:   "kind: {type: string}, source: {type: object, properties: {id: {type: string}}}",
		rows: "[{spoke: {ConfigMap: .spec.cm, File: .spec.file}, hub: {type: .spec.kind, value: .spec.source}, variant: {rows: [{spoke: .name, hub: .id}]}}]",
	}
	inner := tables{
		beta: "cm: {type: object, properties: {o: {type: object, properties: {name: {type: string}, only: {type: string}}}}}, file: {type: object, properties: {o: {type: object, properties: {name: {type: string}}}}}", v1: variant.v1,
		rows: "[{spoke: {ConfigMap: .spec.cm, File: .spec.file}, hub: {type: .spec.kind, value: .spec.source}, variant: {rows: [{spoke: .o.name, hub: .id}]}}]",
	}
	tell(t, []story{
		{name: "an address leads through elements and names", tables: deep, object: "{jobs: [{name: a, o: {a: x, only: p}}]}", there: "{jobs: [{name: a, o: {a: x}}]}",
			kept: []string{`.spec.jobs[{"name":"a"}].o.only "p"`}},
		{name: "a missing object is made in an element whose counterpart has it", tables: deep, object: "{jobs: [{name: a, o: {only: p}}]}", edited: "{jobs: [{name: a, o: {a: v}}]}",
			back: "{jobs: [{name: a, o: {a: v, only: p}}]}"},
		{name: "a missing object is not made in an element whose counterpart has none", tables: deep, object: "{jobs: [{name: a, o: {a: x, only: p}}]}", edited: "{jobs: [{name: a}]}",
			back: "{jobs: [{name: a}]}"},
		{name: "an address leads into the alternative that a value is", tables: variant, object: "{cm: {name: n, only: p}}", there: "{kind: ConfigMap, source: {id: n}}",
			edited: "{kind: ConfigMap, source: {id: m}}", back: "{cm: {name: m, only: p}}"},
		{name: "another alternative has nothing of the former", tables: variant, object: "{cm: {name: n, only: p}}", edited: "{kind: File, source: {id: n}}", back: "{file: {name: n}}"},
		{name: "an address of an earlier table leads into an alternative that is not made", tables: tables{beta: inner.beta, v1: inner.v1, rows: "[{spoke: .spec.cm.o.name, hub: .spec.source.id}]"},
			object: "{cm: {o: {name: n, only: p}}}", there: "{source: {id: n}}", edited: "{}", later: &inner, back: "{cm: {o: {only: p}}}"},
		{name: "an address leads into a single element", tables: single, from: "v1", object: "{backends: [{name: a, more: p}]}", edited: "{backend: {service: b}}", back: "{backends: [{name: b, more: p}]}"},
	})
}
