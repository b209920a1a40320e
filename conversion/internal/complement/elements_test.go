package complement_test

import "testing"

func TestElements(t *testing.T) {
	names := tables{ // a list that an expression makes
		beta: "names: {type: array, items: {type: string}}",
		v1:   "jobs: {type: array, items: {type: object, properties: {name: {type: string}}}}",
		rows: "[{spoke: .spec.names, hub: .spec.jobs, cel: {toHub: 'self.spec.names.map(n, {\"name\": n})', toSpoke: 'self.spec.jobs.map(j, j.name)'}}]",
	}
	tell(t, []story{
		{name: "an element that a default makes is none of the source's", tables: tables{
			beta: "o: {type: object, default: {a: d}, properties: {a: {type: string}, b: {type: string}}}",
			v1:   "l: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}",
			rows: "[{hub: .spec.l, entries: {name: name, value: value}, spoke: {A: .spec.o.a, B: .spec.o.b}}]",
		}, from: "v1", object: "{l: [{name: C}]}", there: "{o: {a: d}}", edited: "{o: {a: x}}", back: "{l: [{name: C}, {name: A, value: x}]}"},
		{name: "an element that the version's own schema no longer allows is kept", tables: tables{
			beta: "jobs: {type: array, items: {type: object, properties: {name: {type: string}}}}",
			v1:   "jobs: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}", rows: "[]",
		}, object: "{jobs: [old, {name: a}]}", there: "{jobs: [old, {name: a}]}"},
		{name: "an element is compared with what was made of it", tables: plain, object: "{jobs: [{only: p}, {name: b}, {only: q}]}", there: "{tasks: [{}, {id: b}, {}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[content 1, alike 1].only "q"`}},
		{name: "an element that rows put back where it was is kept once", tables: parted, from: "v1", object: "{rules: [{type: TCP, port: 1}, {type: HTTP, host: h, more: p}]}",
			there: "{http: [{host: h}], tcp: [{port: 1}]}", kept: []string{`.spec.rules ORDER [content 0]#2 [content 0]#1`, `.spec.rules[content 0].more "p"`}},
		{name: "values of a map are compared by their names", tables: tables{
			beta: "limits: {type: object, additionalProperties: {type: object, properties: {max: {type: integer}, only: {type: string}}}}",
			v1:   "limits: {type: object, additionalProperties: {type: object, properties: {top: {type: integer}}}}",
			rows: "[{spoke: .spec.limits, hub: .spec.limits, each: {rows: [{spoke: .max, hub: .top}]}}]"},
			object: "{limits: {a: {max: 1, only: p}, b: {}}}", there: "{limits: {a: {top: 1}, b: {}}}", kept: []string{`.spec.limits.a.only "p"`},
			edited: "{limits: {c: {top: 3}, a: {top: 2}}}", back: "{limits: {a: {max: 2, only: p}, c: {max: 3}}}"},
		{name: "a single value is compared inside", tables: single, object: "{backend: {service: a, only: p}}", there: "{backends: [{name: a}]}", kept: []string{`.spec.backend.only "p"`},
			edited: "{backends: [{name: b}]}", back: "{backend: {service: b, only: p}}"},
		{name: "a computed list comes back", tables: names, object: "{names: [a, b]}", there: "{jobs: [{name: a}, {name: b}]}", kept: []string{}},
		{name: "an element whose key is not what rows make is found by where it was", tables: translated, from: "v1", object: "{tasks: [{id: a, more: p}, {id: B, more: q}]}",
			there: "{jobs: [{name: a}, {name: b}]}", edited: "{jobs: [{name: b}, {name: a}]}", back: "{tasks: [{id: B, more: q}, {id: a, more: p}]}"},
	})
}
