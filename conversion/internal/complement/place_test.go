package complement_test

import "testing"

func TestPlace(t *testing.T) {
	tell(t, []story{
		{name: "of a shared place nothing is kept", tables: nested, object: "{o: {a: x}}", there: "{o: {a: x}}", kept: []string{}},
		{name: "a place of one version alone is kept", tables: nested, object: "{o: {only: z}}", there: "{o: {}}", kept: []string{`.spec.o.only "z"`}},
		{name: "unknown fields are of one version alone if the other has no place for them", tables: tables{
			beta: "o: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}", v1: "o: {type: object, properties: {a: {type: string}}}", rows: "[]"},
			object: "{o: {a: x, u: {v: 1}}}", there: "{o: {a: x}}", kept: []string{".spec.o.u.v 1 IF"}},
		{name: "unknown fields are shared if both have a place for them", tables: tables{
			beta: "o: {type: object, x-kubernetes-preserve-unknown-fields: true}", v1: "o: {type: object, x-kubernetes-preserve-unknown-fields: true}", rows: "[]"},
			object: "{o: {u: {v: 1}}}", there: "{o: {u: {v: 1}}}", kept: []string{}},
		{name: "a place of a row is compared with what rows make of it", tables: levels, object: "{level: warning}", there: "{severity: Warning}", kept: []string{}},
		{name: "a place that is dropped is not kept", tables: tables{beta: "a: {type: string}, old: {type: object, properties: {x: {type: string}}}", v1: "a: {type: string}",
			rows: "[{spoke: .spec.old, drop: it has no meaning any more}]"}, object: "{a: x, old: {x: v}}", kept: []string{}, back: "{a: x}"},
	})
}
