package complement_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// join is a text of two fields, which rows make anew of them.
var join = tables{
	beta: "address: {type: string}",
	v1:   "host: {type: string}, port: {type: integer}",
	rows: `[{spoke: .spec.address, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}]`,
}

// levels are two values that become one.
var levels = tables{
	beta: "level: {type: string}",
	v1:   "severity: {type: string}",
	rows: "[{spoke: .spec.level, hub: .spec.severity, values: {warn: Warning, warning: Warning}, inverse: {Warning: warning}}]",
}

// nested is an object that both versions have, with a field that only v1beta1 has.
var nested = tables{
	beta: "o: {type: object, properties: {a: {type: string}, only: {type: string}}}",
	v1:   "o: {type: object, properties: {a: {type: string}}}",
	rows: "[]",
}

func TestRestore(t *testing.T) {
	tell(t, []story{
		{name: "a value comes back that rows make another of", tables: levels, object: "{level: warn}", there: "{severity: Warning}",
			kept: []string{`.spec.level "warn" IF`}},
		{name: "an edit of what the value is made of wins", tables: levels, object: "{level: warn}", edited: "{severity: Error}", back: "{level: Error}"},
		{name: "an edit that is undone makes no difference", tables: levels, object: "{level: warn}", edited: "{severity: Warning}"},
		{name: "what rows make nothing of comes back while they do", tables: join, from: "v1", object: "{host: h}", there: "{}", kept: []string{`.spec.host "h" IF`}},
		{name: "what rows make nothing of gives way to what they make", tables: join, from: "v1", object: "{host: h}", edited: `{address: "i:1"}`, back: "{host: i, port: 1}"},
		{name: "an absence comes back", tables: stated, from: "v1", object: "{a: x}", there: "{a: x}", kept: []string{".spec.protocol ABSENT IF"}},
		{name: "another value than the constant comes back", tables: stated, from: "v1", object: "{protocol: UDP}", there: "{}", kept: []string{`.spec.protocol "UDP"`}},
		{name: "another value than the constant comes back without what a third version drops beside it", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}, c: {type: integer}}}", v1: "a: {type: string}",
			rows: "[{spoke: .spec.o.a, hub: .spec.a}, {spoke: .spec.o.c, constant: 2}]", drops: ".spec.a",
		}, object: "{o: {a: x, c: 1}}", visits: true, back: "{o: {c: 1}}"},
		{name: "of a text that was edited the rest comes back", tables: tables{
			beta: "conf: {type: string}", v1: "conf: {type: object, properties: {size: {type: integer}, level: {type: string}}}", rows: "[{spoke: .spec.conf, hub: .spec.conf, text: json}]"},
			object: `{conf: '{"size": 1, "own": {"a": null}}'}`, there: "{conf: {size: 1}}", edited: "{conf: {size: 2, level: x}}",
			back: `{conf: '{"level":"x","own":{"a":null},"size":2}'}`},
		{name: "an object is made for what was kept in it if the other version has its counterpart", tables: nested,
			object: "{o: {a: x, only: z}}", there: "{o: {a: x}}", kept: []string{`.spec.o.only "z"`}, edited: "{o: {}}", back: "{o: {only: z}}"},
		{name: "without the counterpart what was kept in it is gone", tables: nested, object: "{o: {a: x, only: z}}", edited: "{}", back: "{}"},
		{name: "a default that is stated in an object that is made is not kept", tables: tables{
			beta: "o: {type: object, properties: {only: {type: string}, d: {type: integer, default: 5}, b: {type: string}}}",
			v1:   "o: {type: object, properties: {b: {type: string}}}", rows: "[{spoke: .spec.o.b, hub: .spec.o.b}]"},
			object: "{o: {d: 5}}", kept: []string{}},
		{name: "an object that is put back has the defaults of its schema", tables: tables{
			beta: "o: {type: object, properties: {m: {type: string}, a: {type: object, default: {b: x}, properties: {b: {type: string}, c: {type: string, default: z}}}}}", v1: "m: {type: string}",
			rows: "[{spoke: .spec.o.m, hub: .spec.m}]",
		}, object: "{o: {}}", there: "{}", back: "{o: {a: {b: x, c: z}}}"},
		{name: "an object is converted with the defaults that the API server fills in", tables: tables{
			beta: "o: {type: object, properties: {a: {type: object, default: {b: x}, properties: {b: {type: string}}}}}", v1: "", rows: "[]",
		}, object: "{o: {}}", kept: []string{`.spec.o {"a":{"b":"x"}}`}, back: "{o: {a: {b: x}}}"},
		{name: "what is absent is its default when it is converted back", tables: tables{
			beta: "o: {type: object, properties: {a: {type: string}}}", v1: "l: {type: array, items: {type: object, properties: {p: {type: object, default: {a: x}, properties: {a: {type: string}}}}}}",
			rows: "[{spoke: .spec.o, hub: .spec.l, single: {rows: [{spoke: .a, hub: .p.a}]}}]",
		}, from: "v1", object: "{l: [{p: {}}]}", there: "{o: {}}"},
		{name: "an object that is made has the defaults of its schema", tables: tables{
			beta: "o: {type: object, properties: {only: {type: string}, d: {type: integer, default: 5}, b: {type: string}}}",
			v1:   "o: {type: object, properties: {b: {type: string}}}", rows: "[]"},
			object: "{o: {only: z, d: 5}}", there: "{o: {}}", kept: []string{`.spec.o.only "z"`}},
	})
}

// stated is a field whose value the other version implies.
var stated = tables{
	beta: "a: {type: string}",
	v1:   "a: {type: string}, protocol: {type: string}",
	rows: "[{hub: .spec.protocol, constant: TCP}]",
}

// One entry applies to one place: that of this table, wherever it is in the stash.
func TestRestoreOfOnePlace(t *testing.T) {
	c := compiled(t, move)
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {name: a}, spec: {a: x, only: 5}}").(map[string]any)
	stored, _ := converted(t, c, object, "v1")
	annotations := stored["metadata"].(map[string]any)["annotations"].(map[string]any)
	const name = stash.Prefix + "v1beta1"
	text := annotations[name].(string)
	annotations[name] = strings.Replace(text, `[{"at"`, `[{"at":["spec","only"],"value":7,"table":"another"},{"at"`, 1)
	if annotations[name] == text {
		t.Fatalf("nothing was added to %s", text)
	}
	back, _ := converted(t, c, stored, "v1beta1")
	compare(t, "the spec that comes back", back["spec"], object["spec"])
}
