package complement_test

import "testing"

// An element is followed through both conversions, so that neither its key nor its content has to tell
// which it is.
func TestOrigin(t *testing.T) {
	nested := tables{
		beta: "groups: {type: array, items: {type: object, properties: {jobs: {type: array, items: {type: object, properties: {cmd: {type: string}, only: {type: string}}}}, only: {type: string}}}}",
		v1:   "sets: {type: array, items: {type: object, properties: {tasks: {type: array, items: {type: object, properties: {line: {type: string}}}}}}}",
		rows: "[{spoke: .spec.groups, hub: .spec.sets, each: {rows: [{spoke: .jobs, hub: .tasks, each: {rows: [{spoke: .cmd, hub: .line}]}}]}}]",
	}
	wrapped := tables{
		beta: "users: {type: array, items: {type: string}}",
		v1:   "members: {type: array, items: {type: object, properties: {name: {type: string}, more: {type: string}}}}",
		rows: "[{spoke: .spec.users, hub: .spec.members, wrap: name}]",
	}
	tell(t, []story{
		{name: "elements in elements", tables: nested, object: "{groups: [{jobs: [{only: p}, {only: q}]}, {only: r, jobs: [{only: s}, {}]}]}",
			there: "{sets: [{tasks: [{}, {}]}, {tasks: [{}, {}]}]}",
			kept: []string{`.spec.groups[content 0].jobs[content 0].only "p"`, `.spec.groups[content 0].jobs[content 1, alike 1].only "q"`,
				`.spec.groups[content 1, alike 1].jobs[content 0].only "s"`, `.spec.groups[content 1, alike 1].only "r"`}},
		{name: "values that are objects in the other version", tables: wrapped, from: "v1", object: "{members: [{name: a, more: p}, {name: b}, {name: a, more: q}]}",
			there: "{users: [a, b, a]}", edited: "{users: [b, a, a]}", back: "{members: [{name: b}, {name: a, more: p}, {name: a, more: q}]}"},
		{name: "parts of a list", tables: parted, object: "{http: [{host: a, only: p}, {only: q}], tcp: [{port: 1}]}",
			there: "{rules: [{type: HTTP, host: a}, {type: HTTP}, {type: TCP, port: 1}]}", kept: []string{`.spec.http[content 0].only "p"`, `.spec.http[content 0].only "q"`}},
		{name: "values of a list that are in a map in the other version", tables: named, object: "{env: [{name: b, value: p, only: r}, {name: a, value: q, only: s}]}",
			edited: "{env: {a: v}}", back: "{env: [{name: a, value: v, only: s}]}"},
	})
}
