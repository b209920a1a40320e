package complement_test

import "testing"

func TestIndex(t *testing.T) {
	renamed := tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .name, hub: .id, values: {x: A, z: B}}, {spoke: .cmd, hub: .line}]}}]"}
	byCommand := tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: cmd, unique: true, rows: [{spoke: .name, hub: .id}, {spoke: .cmd, hub: .line}]}}]"}
	tell(t, []story{
		{name: "an element is found by its key wherever it is", tables: keyed, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			edited: "{tasks: [{id: b}, {id: c}, {id: a, line: x}]}", back: "{jobs: [{name: b, only: q}, {name: c}, {name: a, cmd: x, only: p}]}"},
		{name: "an element whose key has changed is another one", tables: keyed, object: "{jobs: [{name: a, only: p}]}", edited: "{tasks: [{id: b}]}", back: "{jobs: [{name: b}]}"},
		{name: "an element without a key is found by its content", tables: plain, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			edited: "{tasks: [{id: b}, {id: a}]}", back: "{jobs: [{name: b, only: q}, {name: a, only: p}]}"},
		{name: "of equal elements each has its number", tables: plain, object: "{jobs: [{name: a, only: p}, {name: a, only: q}]}",
			edited: "{tasks: [{id: b}, {id: a}, {id: a}]}", back: "{jobs: [{name: b}, {name: a, only: p}, {name: a, only: q}]}"},
		{name: "an element is found by what it is in the other version before what this table makes of it", tables: translated, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			there: "{tasks: [{id: A}, {id: B}]}", later: &renamed, back: "{jobs: [{name: x, only: p}, {name: z, only: q}]}"},
		{name: "without a key too", tables: tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {rows: [{spoke: .name, hub: .id, values: {a: A}}]}}]"},
			object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			later:  &tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {rows: [{spoke: .name, hub: .id, values: {x: A}}]}}]"},
			back:   "{jobs: [{name: x, only: p}, {name: b, only: q}]}"},
		{name: "by a table with another key an element is found by the fields of the former", tables: keyed, object: "{jobs: [{name: a, cmd: x, only: p}, {name: b, cmd: z, only: q}]}",
			later: &byCommand},
	})
}
