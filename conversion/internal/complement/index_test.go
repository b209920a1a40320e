package complement_test

import "testing"

func TestIndex(t *testing.T) {
	renamed := tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .name, hub: .id, values: {x: A, z: B}}, {spoke: .cmd, hub: .line}]}}]"}
	byCommand := tables{beta: keyed.beta, v1: keyed.v1, rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: cmd, unique: true, rows: [{spoke: .name, hub: .id}, {spoke: .cmd, hub: .line}]}}]"}
	parts := tables{
		beta: "http: {type: array, items: {type: object, properties: {host: {type: string}}}}, other: {type: array, items: {type: object, properties: {host: {type: string}}}}",
		v1:   "rules: {type: array, items: {type: object, properties: {type: {type: string}, host: {type: string}, more: {type: string}}}}",
		rows: "[{spoke: {http: .spec.http, other: .spec.other}, hub: .spec.rules, where: [{match: {.type: HTTP}, place: http}, {place: other}]}]",
	}
	keyedParts := parts
	keyedParts.rows = "[{spoke: {http: .spec.http, other: .spec.other}, hub: .spec.rules, where: [{match: {.type: HTTP}, place: http, key: host, unique: true}, {place: other, key: host, unique: true}]}]"
	keyedParts.beta = "http: {type: array, items: {type: object, properties: {host: {type: string}, port: {type: integer}}}}, other: {type: array, items: {type: object, properties: {host: {type: string}}}}"
	keyedParts.v1 = "rules: {type: array, items: {type: object, properties: {type: {type: string}, host: {type: string}, port: {type: integer}, more: {type: string}}}}"
	oneList := keyedParts
	oneList.rows = "[{spoke: .spec.http, hub: .spec.rules, each: {key: host, unique: true}}]"
	tell(t, []story{
		{name: "an element is found by its key wherever it is", tables: keyed, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			edited: "{tasks: [{id: b}, {id: c}, {id: a, line: x}]}", back: "{jobs: [{name: b, only: q}, {name: c}, {name: a, cmd: x, only: p}]}"},
		{name: "an element whose key has changed is another one", tables: keyed, object: "{jobs: [{name: a, only: p}]}", edited: "{tasks: [{id: b}]}", back: "{jobs: [{name: b}]}"},
		{name: "of elements that an edit gives one key the first has what was kept", tables: keyed, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			edited: "{tasks: [{id: b}, {id: a}, {id: a, line: x}]}", back: "{jobs: [{name: b, only: q}, {name: a, only: p}, {name: a, cmd: x}]}"},
		{name: "the one that is left of two with one key has nothing of the second", tables: tables{
			beta: "jobs: {type: array, items: {type: object, properties: {name: {type: string}, p: {type: string}, q: {type: string}}}}", v1: keyed.v1,
			rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .name, hub: .id}]}}]",
		}, object: "{jobs: [{name: a, p: x}, {name: a, q: z}]}", edited: "{tasks: [{id: a}]}", back: "{jobs: [{name: a, p: x}]}"},
		{name: "an element without a key is found by its content", tables: plain, object: "{jobs: [{name: a, only: p}, {name: b, only: q}]}",
			edited: "{tasks: [{id: b}, {id: a}]}", back: "{jobs: [{name: b, only: q}, {name: a, only: p}]}"},
		{name: "of equal elements each has its number", tables: plain, object: "{jobs: [{name: a, only: p}, {name: a, only: q}]}",
			edited: "{tasks: [{id: b}, {id: a}, {id: a}]}", back: "{jobs: [{name: b}, {name: a, only: p}, {name: a, only: q}]}"},
		{name: "one more equal element takes nothing from the others", tables: plain, object: "{jobs: [{name: a, only: p}, {name: a, only: q}]}",
			edited: "{tasks: [{id: a}, {id: a}, {id: a}]}", back: "{jobs: [{name: a, only: p}, {name: a, only: q}, {name: a}]}"},
		{name: "another element of which the same is made takes nothing", tables: tables{
			beta: "jobs: {type: array, items: {type: object, properties: {o: {type: object, default: {a: x}, properties: {a: {type: string}}}, only: {type: string}}}}", v1: keyed.v1,
			rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {rows: [{spoke: .o.a, hub: .id}]}}]",
		}, object: "{jobs: [{o: {}, only: p}, {}]}", there: "{tasks: [{}, {id: x}]}", edited: "{tasks: [{id: x}]}", back: "{jobs: [{o: {a: x}}]}"},
		{name: "a new element of another part takes nothing from one that is alike", tables: parts, from: "v1",
			object: "{rules: [{more: p}]}", there: "{other: [{}]}", edited: "{http: [{}], other: [{}]}", back: "{rules: [{type: HTTP}, {more: p}]}"},
		{name: "an element that goes leaves nothing to one of another part that is alike", tables: parts, from: "v1",
			object: "{rules: [{more: p}, {type: HTTP}]}", edited: "{http: [{}]}", back: "{rules: [{type: HTTP}]}"},
		{name: "elements of two parts may have one key", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {host: a}]}",
			kept: []string{`.spec.rules[{"host":"a"} in http].more "p"`}, edited: "{http: [{host: a, port: 1}], other: [{host: a}]}", back: "{rules: [{type: HTTP, host: a, port: 1, more: p}, {host: a}]}"},
		{name: "an edit that gives the key to an element of another part takes nothing", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {host: b}]}",
			edited: "{http: [{host: a, port: 1}], other: [{host: a}]}", back: "{rules: [{type: HTTP, host: a, port: 1, more: p}, {host: a}]}"},
		{name: "nor if it is before the other one", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: b}, {host: a, more: p}]}",
			edited: "{http: [{host: a}], other: [{host: a}]}", back: "{rules: [{type: HTTP, host: a}, {host: a, more: p}]}"},
		{name: "an element takes nothing of one of another part that had its key", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {host: a}]}",
			edited: "{http: [{port: 1}], other: [{host: a}]}", back: "{rules: [{type: HTTP, port: 1}, {host: a}]}"},
		{name: "an element that an edit moves to another part takes along what it had", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {host: b}]}",
			edited: "{other: [{host: b}, {host: a}]}", back: "{rules: [{host: b}, {host: a, more: p}]}"},
		{name: "a key is found in the one list that a later table has", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {type: HTTP, host: b, more: q}]}",
			later: &oneList, back: "{rules: [{host: a, more: p}, {host: b, more: q}]}"},
		{name: "and in one of several lists, if there was one", tables: oneList, from: "v1", object: "{rules: [{host: a, more: p}, {host: b, more: q}]}",
			later: &keyedParts, back: "{rules: [{host: a, more: p, type: HTTP}, {host: b, more: q, type: HTTP}]}"},
		{name: "an element whose key another one had is found once that has gone", tables: keyedParts, from: "v1", object: "{rules: [{type: HTTP, host: a, more: p}, {host: a}, {}]}", there: "{http: [{host: a}], other: [{host: a}, {}]}", edited: "{http: [{host: a}], other: [{}]}", back: "{rules: [{type: HTTP, host: a, more: p}, {}]}"},
		{name: "elements with one key are told apart by those of the other version", tables: tables{
			beta: "jobs: {type: array, items: {type: object, properties: {meta: {type: object, default: {name: b}, properties: {name: {type: string}}}, cmd: {type: string}, only: {type: string}}}}", v1: keyed.v1,
			rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: .meta.name, unique: true, rows: [{spoke: .meta.name, hub: .id}, {spoke: .cmd, hub: .line}]}}]",
		}, object: "{jobs: [{meta: {}, only: p}, {meta: {name: b}, only: q}]}", there: "{tasks: [{}, {id: b}]}", edited: "{tasks: [{id: b, line: c}]}", back: "{jobs: [{meta: {name: b}, cmd: c, only: q}]}"},
		{name: "elements are told apart by what another table drops", tables: tables{
			beta: "jobs: {type: array, items: {type: object, properties: {f: {type: integer}, c: {type: integer}, only: {type: string}}}}",
			v1:   "jobs: {type: array, items: {type: object, properties: {f: {type: integer}, c: {type: integer}}}}", drops: ".spec.jobs",
			rows: "[{spoke: .spec.jobs, hub: .spec.jobs, each: {}}]",
		}, object: "{jobs: [{}, {f: 1, only: p}]}", edited: "{jobs: [{f: 1}, {c: 2}]}", back: "{jobs: [{f: 1, only: p}, {c: 2}]}"},
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

// Of elements that this version has alike, each is found by what it is in the other one, which may
// tell them apart.
func TestIndexOfAlike(t *testing.T) {
	c := compiled(t, tables{
		beta: "jobs: {type: array, items: {type: object, properties: {level: {type: string}}}}",
		v1:   "jobs: {type: array, items: {type: object, properties: {severity: {type: string}, more: {type: string}}}}",
		rows: "[{spoke: .spec.jobs, hub: .spec.jobs, each: {rows: [{spoke: .level, hub: .severity, values: {warn: Warning, warning: Warning}, inverse: {Warning: warning}}]}}]",
	})
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, spec: {jobs: [{level: warn}, {level: warning}, {level: warn}]}}").(map[string]any)
	stored, _ := converted(t, c, object, "v1")
	stored["spec"] = decoded(t, "{jobs: [{severity: Warning, more: p}, {severity: Warning, more: q}, {severity: Warning, more: r}]}")
	read, _ := converted(t, c, stored, "v1beta1")
	compare(t, "the spec that is read", read["spec"], object["spec"])
	read["spec"] = decoded(t, "{jobs: [{level: warning}, {level: warn}, {level: error}, {level: warn}]}")
	stored, _ = converted(t, c, read, "v1")
	compare(t, "the spec in v1", stored["spec"],
		decoded(t, "{jobs: [{severity: Warning, more: q}, {severity: Warning, more: p}, {severity: error}, {severity: Warning, more: r}]}"))
}

// Of two addresses that lead to one element, the one that only guesses by position finds nothing.
func TestIndexGuesses(t *testing.T) {
	of := func(constant string) tables {
		return tables{
			beta: "jobs: {type: array, items: {type: object, properties: {a: {type: string}, o: {type: object, properties: {k: {type: string}, only: {type: string}}}}}}",
			v1:   "jobs: {type: array, items: {type: object, properties: {x: {type: string}}}}",
			rows: `[{spoke: .spec.jobs, hub: .spec.jobs, each: {rows: [{spoke: .a, hub: .x, cel: {toHub: self.a, toSpoke: "'s'"}}, {spoke: .o.k, constant: ` + constant + `}]}}]`,
		}
	}
	earlier, later := of("c"), of("d")
	object, there := `{jobs: [{a: "1"}, {a: "2", o: {k: c, only: q}}]}`, `{jobs: [{x: "1"}, {x: "2"}]}`
	tell(t, []story{
		{name: "an element that has taken another's position has nothing of it", tables: earlier, object: object, there: there,
			edited: `{jobs: [{x: "3"}, {x: "1"}]}`, back: `{jobs: [{a: s}, {a: "1"}]}`},
		{name: "by a later table too", tables: earlier, later: &later, object: object, there: there,
			edited: `{jobs: [{x: "3"}, {x: "1"}]}`, back: `{jobs: [{a: s}, {a: "1"}]}`, unplaced: 3},
		{name: "an element that was edited where it is keeps what is its own", tables: earlier, object: object, there: there,
			edited: `{jobs: [{x: "1"}, {x: "3"}]}`, back: `{jobs: [{a: "1"}, {a: s, o: {k: c, only: q}}]}`},
	})
}
