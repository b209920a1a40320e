package complement_test

import "testing"

func TestOrder(t *testing.T) {
	first := tables{ // a value that is the first of a list
		beta: "host: {type: string}",
		v1:   "hosts: {type: array, items: {type: string}}",
		rows: "[{spoke: .spec.host, hub: .spec.hosts, single: {}}]",
	}
	ofDefault := tables{ // a list that has a default, with elements that the other version can't represent
		beta: "a: {type: string}",
		v1:   "o: {type: object, default: {l: [{name: a, value: d}]}, properties: {l: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}}}",
		rows: "[{spoke: {a: .spec.a}, hub: .spec.o.l, entries: {name: name, value: value}}]",
	}
	later := named
	later.beta += ", new: {type: string}"
	tell(t, []story{
		{name: "an order comes back that the other version has not", tables: named, object: "{env: [{name: b, value: p}, {name: a, value: q}]}", there: "{env: {a: q, b: p}}",
			kept: []string{`.spec.env ORDER [{"name":"b"}]#2 [{"name":"a"}]#1`}},
		{name: "a new element comes last where the other version has no order", tables: named, object: "{env: [{name: b, value: p}, {name: c, value: r}, {name: a, value: q}]}",
			edited: "{env: {a: q, b: p, c: r, aa: s}}", back: "{env: [{name: b, value: p}, {name: c, value: r}, {name: a, value: q}, {name: aa, value: s}]}"},
		{name: "a part of a list keeps its place between the others", tables: parted, from: "v1",
			object: "{rules: [{type: TCP, port: 1}, {type: HTTP, host: h}, {type: TCP, port: 2}]}", there: "{http: [{host: h}], tcp: [{port: 1}, {port: 2}]}"},
		{name: "the order of the other version wins where it has changed", tables: parted, from: "v1",
			object: "{rules: [{type: TCP, port: 1}, {type: HTTP, host: h}, {type: TCP, port: 2}]}", edited: "{http: [{host: h}], tcp: [{port: 2}, {port: 1}]}",
			back: "{rules: [{type: HTTP, host: h}, {type: TCP, port: 2}, {type: TCP, port: 1}]}"},
		{name: "a new element comes behind the one of its part that it follows", tables: parted, from: "v1",
			object: "{rules: [{type: TCP, port: 1}, {type: HTTP, host: h}]}", edited: "{http: [{host: h}], tcp: [{port: 1}, {port: 2}]}",
			back: "{rules: [{type: TCP, port: 1}, {type: TCP, port: 2}, {type: HTTP, host: h}]}"},
		{name: "an element that cannot be shown stays behind the one before it", tables: parted, from: "v1",
			object: "{rules: [{type: HTTP, host: a}, {type: UDP}, {type: HTTP, host: b}]}", there: "{http: [{host: a}, {host: b}]}",
			edited: "{http: [{host: c}, {host: a}]}", back: "{rules: [{type: HTTP, host: c}, {type: HTTP, host: a}, {type: UDP}]}"},
		{name: "an element that cannot be shown goes to the front with the one before it", tables: parted, from: "v1",
			object: "{rules: [{type: HTTP, host: a}, {type: UDP}, {type: HTTP, host: b}]}",
			edited: "{http: [{host: b}, {host: a}]}", back: "{rules: [{type: HTTP, host: b}, {type: HTTP, host: a}, {type: UDP}]}"},
		{name: "the order of another table stays in the stash if an element is not found", tables: named, object: "{env: [{name: b, value: p}, {name: a, value: q}]}",
			edited: "{env: {a: q, c: p}}", later: &later, back: "{env: [{name: a, value: q}, {name: c, value: p}]}", unplaced: 1},
		{name: "a double stays beside the one that is shown", tables: named, object: "{env: [{name: a, value: p}, {name: a, value: q}]}", there: "{env: {a: p}}",
			kept: []string{`.spec.env ORDER [{"name":"a"}]#1 {"name":"a","value":"q"} double`}},
		{name: "a double goes with the one that is shown", tables: named, object: "{env: [{name: a, value: p}, {name: a, value: q}]}", edited: "{env: {b: r}}", back: "{env: [{name: b, value: r}]}"},
		{name: "elements that cannot be shown come back without any other", tables: first, from: "v1", object: "{hosts: [a, b]}", there: "{host: a}", edited: "{host: c}", back: "{hosts: [c, b]}"},
		{name: "elements that cannot be shown leave with the list", tables: first, from: "v1", object: "{hosts: [a, b]}", edited: "{}", back: "{}"},
		{name: "elements of other parts stay when those that are shown have gone", tables: parted, from: "v1",
			object: "{rules: [{type: UDP}, {type: HTTP, host: a}, {type: ICMP}]}", edited: "{}", back: "{rules: [{type: UDP}, {type: ICMP}]}"},
		{name: "an element that cannot be shown stays beside one whose key is put back", tables: tables{
			beta: parted.beta, v1: "rules: {type: array, items: {type: object, properties: {type: {type: string}, name: {type: string}, host: {type: string}}}}",
			rows: "[{spoke: {http: .spec.http, tcp: .spec.tcp}, hub: .spec.rules, where: [{match: {.type: HTTP}, place: http, key: host, unique: true, rows: [{hub: .name, spoke: {a: .host}, template: 'k-{a}'}]}, {match: {.type: TCP}, place: tcp}]}]",
		}, from: "v1", object: "{rules: [{type: HTTP, name: x}, {type: UDP, name: x}]}", there: "{http: [{}]}"},
		{name: "a new element takes the place of one that could not be shown", tables: tables{
			beta: "kind: {type: string}, value: {type: object, properties: {l: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}}}",
			v1:   "o: {type: object, default: {c: {}}, properties: {a: {type: object}, c: {type: object, properties: {b: {type: string}}}}}",
			rows: "[{hub: {A: .spec.o.a, B: .spec.o.c}, spoke: {type: .spec.kind, value: .spec.value}, variant: {alternatives: [{name: A}], rows: [{spoke: .l, hub: {Q: .b}, entries: {name: name, value: value}}]}}]",
		}, object: "{value: {l: [{name: Q, value: x}]}}", there: "{o: {c: {}}}", edited: "{o: {c: {b: z}}}", back: "{kind: B, value: {l: [{name: Q, value: z}]}}"},
		{name: "a new element stays behind one that the other version could not show even alone", tables: tables{
			beta: "ready: {type: boolean}", v1: "l: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}}}}",
			rows: "[{spoke: {ready: .spec.ready}, hub: .spec.l, where: [{place: ready, match: {.type: Ready}, rows: [{spoke: ., hub: .status, boolean: {true: T, false: F}}]}]}]",
		}, from: "v1", object: "{l: [{type: Ready, status: U}]}", there: "{}", edited: "{ready: true}", back: "{l: [{type: Ready, status: U}, {type: Ready, status: T}]}"},
		{name: "an element that cannot be shown stays before one that replaces the default", tables: ofDefault, from: "v1", object: "{o: {l: [{name: q}]}}", there: "{}",
			edited: "{a: x}", back: "{o: {l: [{name: q}, {name: a, value: x}]}}"},
		{name: "an element that cannot be shown stays before the default", tables: ofDefault, from: "v1", object: "{o: {l: [{name: q}, {name: a, value: x}]}}", there: "{a: x}",
			edited: "{}", back: "{o: {l: [{name: q}, {name: a, value: d}]}}"},
		{name: "elements that cannot be shown are no doubles of one that a default makes", tables: tables{
			beta: "l: {type: array, items: {type: string}}", v1: "o: {type: object, default: {h: d}, properties: {h: {type: string}}}",
			rows: "[{spoke: .spec.l, hub: .spec.o.h, single: {longer: none}}]",
		}, object: "{l: [a, b]}", there: "{o: {h: d}}", edited: "{o: {h: x}}", back: "{l: [x]}"},
		{name: "a new element takes the key of one that could not be shown", tables: named, object: "{env: [{name: a, value: p}, {value: q}]}", there: "{env: {a: p}}"},
	})
}
