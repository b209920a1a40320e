package complement_test

import "testing"

func TestAddress(t *testing.T) {
	further := tables{ // a key of two fields, of which one is further in and the other has a default
		beta: "claims: {type: array, items: {type: object, properties: {meta: {type: object, properties: {name: {type: string}}}, kind: {type: string, default: git}, only: {type: string}}}}",
		v1:   "claims: {type: array, items: {type: object, properties: {meta: {type: object, properties: {name: {type: string}}}, kind: {type: string, default: git}}}}",
		rows: "[{spoke: .spec.claims, hub: .spec.claims, each: {key: [.meta.name, .kind], unique: true}}]",
	}
	amounts := tables{ // values that are elements in the other version, each of its own name
		beta: "cpu: {type: integer}, memory: {type: integer}",
		v1:   "amounts: {type: array, items: {type: object, properties: {of: {type: string}, value: {type: integer}, more: {type: string}}}}",
		rows: "[{spoke: {CPU: .spec.cpu, Memory: .spec.memory}, hub: .spec.amounts, entries: {name: of, value: value}}]",
	}
	tell(t, []story{
		{name: "an element is addressed by its key", tables: keyed, object: "{jobs: [{name: a, only: p}]}", there: "{tasks: [{id: a}]}",
			kept: []string{`.spec.jobs[{"name":"a"}].only "p"`}},
		{name: "a key that two elements share addresses neither", tables: keyed, object: "{jobs: [{name: a, only: p}, {name: a, cmd: x, only: q}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[content 0].only "q"`, `.spec.jobs[{"name":"b"}].only "r"`}},
		{name: "an element without the key is addressed by its content", tables: keyed, object: "{jobs: [{cmd: x, only: p}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[{"name":"b"}].only "r"`}},
		{name: "a key says what it is in the other version", tables: translated, object: "{jobs: [{name: a, only: p}, {name: c, only: q}]}",
			kept: []string{`.spec.jobs[{"name":"a"} there {"name":"A"}].only "p"`, `.spec.jobs[{"name":"c"}].only "q"`}},
		{name: "equal elements without a key are counted", tables: plain, object: "{jobs: [{name: a, only: p}, {name: a, only: q}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[content 0].only "r"`, `.spec.jobs[content 1, alike 1].only "q"`}},
		{name: "a key may be further in, and have a default", tables: further, object: "{claims: [{meta: {name: a}, only: p}, {meta: {name: a}, kind: helm, only: q}]}",
			kept: []string{`.spec.claims[{"kind":"git","meta":{"name":"a"}}].only "p"`, `.spec.claims[{"kind":"helm","meta":{"name":"a"}}].only "q"`},
			back: "{claims: [{meta: {name: a}, kind: git, only: p}, {meta: {name: a}, kind: helm, only: q}]}"},
		{name: "an element that lacks a part of its key has none", tables: further, object: "{claims: [{kind: git, only: p}]}", kept: []string{`.spec.claims[content 0].only "p"`}},
		{name: "of elements that are values in the other version each has a number", tables: amounts, from: "v1", object: "{amounts: [{of: CPU, value: 1, more: p}, {of: Memory, value: 2, more: q}]}",
			there: "{cpu: 1, memory: 2}", kept: []string{`.spec.amounts[only 0].more "p"`, `.spec.amounts[only 1].more "q"`},
			edited: "{cpu: 3, memory: 2}", back: "{amounts: [{of: CPU, value: 3, more: p}, {of: Memory, value: 2, more: q}]}"},
		{name: "the only element has no content in its address", tables: single, from: "v1", object: "{backends: [{name: a, more: p}]}", there: "{backend: {service: a}}",
			kept: []string{`.spec.backends[only 0].more "p"`}},
	})
}
