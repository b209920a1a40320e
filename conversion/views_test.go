package conversion_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestViews shows what users of either version see, without stashes, and that
// the way back is exact.
func TestViews(t *testing.T) {
	for _, test := range []struct {
		name, beta, v1, rows string
		from, body, want     string
	}{
		{"shared places are the same bytes", spec("n: {type: number}, s: {type: string}"), spec("n: {type: number}, s: {type: string}"), `[]`,
			"v1beta1", `"spec":{"n":1.50,"s":"\u00e9"}`, `"spec":{"n":1.50,"s":"\u00e9"}`},
		{"a move", spec("a: {type: integer}"), spec("b: {type: object, properties: {c: {type: integer}}}"), `[{spoke: .spec.a, hub: .spec.b.c}]`,
			"v1beta1", `"spec":{"a":9223372036854775807}`, `"spec":{"b":{"c":9223372036854775807}}`},
		{"a move of an object whose parts differ", spec("old: {type: object, properties: {x: {type: string}, p: {type: string}}}"),
			spec("new: {type: object, properties: {x: {type: string}, q: {type: string}}}"), `[{spoke: .spec.old, hub: .spec.new}]`,
			"v1beta1", `"spec":{"old":{"x":"1","p":"2"}}`, `"spec":{"new":{"x":"1"}}`},
		{"two rows use one path with two meanings", spec("a: {type: string}, b: {type: string}"), spec("a: {type: string}, b: {type: string}"),
			`[{spoke: .spec.a, hub: .spec.b}, {spoke: .spec.b, hub: .spec.a}]`,
			"v1beta1", `"spec":{"a":"1","b":"2"}`, `"spec":{"a":"2","b":"1"}`},
		{"the hub's place of the same name is private", spec("a: {type: string}"), spec("a: {type: string}, b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`,
			"v1", `"spec":{"a":"1","b":"2"}`, `"spec":{"a":"2"}`},
		{"template", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"[::1]:80"}`, `"spec":{"host":"[::1]","port":80}`},
		{"template, number not canonical", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"a:0080"}`, `"spec":{"host":"a","port":80}`},
		{"template, not mappable", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"a:http"}`, `"spec":{}`},
		{"template, a part missing", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1", `"spec":{"host":"a"}`, `"spec":{}`},
		{"values", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel, Forbid: Single}}]`,
			"v1", `"spec":{"b":"Single"}`, `"spec":{"a":"Forbid"}`},
		{"values pass through", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel}}]`,
			"v1", `"spec":{"b":"Other"}`, `"spec":{"a":"Other"}`},
		{"values, one of which passes through", spec("a: {type: string, enum: [Borrow, Stop]}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Borrow: Stop}, inverse: {Stop: Stop}}]`,
			"v1", `"spec":{"b":"Stop"}`, `"spec":{"a":"Stop"}`},
		{"values, closed", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel}, closed: true}]`,
			"v1", `"spec":{"b":"Other"}`, `"spec":{}`},
		{"values of other types", spec("a: {type: boolean}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {"true": "On", "false": "Off"}}]`,
			"v1beta1", `"spec":{"a":false}`, `"spec":{"b":"Off"}`},
		{"constant", spec("a: {type: string}"), spec("a: {type: string}, mode: {type: string}"), `[{hub: .spec.mode, constant: Legacy}]`,
			"v1beta1", `"spec":{}`, `"spec":{"mode":"Legacy"}`},
		{"default", spec("a: {type: boolean}"), spec("b: {type: boolean}"), `[{spoke: .spec.a, hub: .spec.b, default: {spoke: false}}]`,
			"v1beta1", `"spec":{}`, `"spec":{"b":false}`},
		{"a schema default of one version does not leak", spec("a: {type: integer, default: 3}"), spec("a: {type: integer}"), `[]`,
			"v1", `"spec":{}`, `"spec":{"a":3}`},
		{"drop", spec("a: {type: string}, b: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, drop: nobody reads it}]`,
			"v1beta1", `"spec":{"b":"1"}`, `"spec":{"b":"1"}`},
		{"field and annotation", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, hub: ".metadata.annotations['example.com/a.b']", crosses: true}]`,
			"v1beta1", `"spec":{"a":"x"}`, `"metadata":{"annotations":{"example.com/a.b":"x"}}`},
		{"what is no label stays", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, hub: .metadata.labels.a, crosses: true}]`,
			"v1beta1", `"spec":{"a":"not a label"}`, `"spec":{}`},
		{"each", spec("jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}}}}"),
			spec("tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: object, properties: {line: {type: string}}}}}}"),
			`[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command.line}]}}]`,
			"v1beta1", `"spec":{"jobs":[{"name":"a","cmd":"x"},{"name":"b"}]}`, `"spec":{"tasks":[{"name":"a","command":{"line":"x"}},{"name":"b"}]}`},
		{"each over a map", spec("m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}"),
			spec("m: {type: object, additionalProperties: {type: object, properties: {z: {type: string}}}}"),
			`[{spoke: .spec.m, hub: .spec.m, each: {rows: [{spoke: .x, hub: .z}]}}]`,
			"v1beta1", `"spec":{"m":{"k":{"x":"1"},"l.m":{}}}`, `"spec":{"m":{"k":{"z":"1"},"l.m":{}}}`},
		{"lists whose elements differ need no row", spec("l: {type: array, items: {type: object, properties: {x: {type: string}, p: {type: string}}}}"),
			spec("l: {type: array, items: {type: object, properties: {x: {type: string}}}}"), `[]`,
			"v1beta1", `"spec":{"l":[{"x":"1","p":"2"},{"p":"3"},null]}`, `"spec":{"l":[{"x":"1"},{},null]}`},
		{"unknown members, known in one version", "spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}", spec("a: {type: string}, b: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":"1","b":"2","c":"3"}`, `"spec":{"a":"1","b":"2"}`},
		{"a place of any type", spec("a: {x-kubernetes-preserve-unknown-fields: true}"), spec("a: {type: object, properties: {x: {type: string}}}"), `[]`,
			"v1beta1", `"spec":{"a":{"x":"1","y":2}}`, `"spec":{"a":{"x":"1"}}`},
		{"a place of any type that does not fit", spec("a: {x-kubernetes-preserve-unknown-fields: true}"), spec("a: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":{"x":1}}`, `"spec":{}`},
		{"int-or-string", spec("a: {x-kubernetes-int-or-string: true}"), spec("a: {type: integer}"), `[]`,
			"v1beta1", `"spec":{"a":"80%"}`, `"spec":{}`},
		{"null where only one version allows it", spec("a: {type: string, nullable: true}"), spec("a: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":null}`, `"spec":{}`},
		{"null in a map where only one version allows it", spec("m: {type: object, additionalProperties: {type: string, nullable: true}}"), spec("m: {type: object, additionalProperties: {type: string}}"), `[]`,
			"v1beta1", `"spec":{"m":{"a":null,"b":"1"}}`, `"spec":{"m":{"b":"1"}}`},
		{"null for an object in a map where only one version allows it", spec("m: {type: object, additionalProperties: {type: object, nullable: true, properties: {x: {type: string}}}}"), spec("m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}"), `[]`,
			"v1beta1", `"spec":{"m":{"a":null,"b":{"x":"1"}}}`, `"spec":{"m":{"b":{"x":"1"}}}`},
		{"null in a list where only one version allows it", spec("l: {type: array, items: {type: string, nullable: true}}"), spec("l: {type: array, items: {type: string}}"), `[]`,
			"v1beta1", `"spec":{"l":[null,"a"]}`, `"spec":{"l":[null,"a"]}`},
		{"kinds of nothing", spec("a: {type: string, nullable: true}, l: {type: array, items: {type: string}}, o: {type: object}, b: {type: boolean}, i: {type: integer}"),
			spec("r: {type: object, properties: {a: {type: string, nullable: true}, l: {type: array, items: {type: string}}, o: {type: object}, b: {type: boolean}, i: {type: integer}}}"),
			`[{spoke: .spec.a, hub: .spec.r.a}, {spoke: .spec.l, hub: .spec.r.l}, {spoke: .spec.o, hub: .spec.r.o}, {spoke: .spec.b, hub: .spec.r.b}, {spoke: .spec.i, hub: .spec.r.i}]`,
			"v1beta1", `"spec":{"a":null,"l":[],"o":{},"b":false,"i":0}`, `"spec":{"r":{"a":null,"b":false,"i":0,"l":[],"o":{}}}`},
		{"a fragment without anything", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`, "v1beta1", ``, ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.beta, test.v1, test.rows)
			to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
			source := thing(test.from, test.body)
			there := convert(t, c, source, to)
			if got, want := strip(t, there), thing(to, test.want); !sameJSON(t, got, want) {
				t.Errorf("%s is\n%s, want\n%s", to, got, want)
			}
			if back := convert(t, c, there, test.from); !sameJSON(t, back, source) && test.name != "drop" {
				t.Errorf("back it is\n%s, was\n%s\nthrough\n%s", back, source, there)
			}
		})
	}
}

// TestSpokeToSpoke goes through the hub and keeps what the hub alone holds.
func TestSpokeToSpoke(t *testing.T) {
	crd := versions(t, map[string]string{"v1alpha1": spec("a: {type: string}, alpha: {type: string}"), "v1beta1": spec("b: {type: string}"), "v1": spec("c: {type: string}, hub: {type: string}")})
	cw := table(t, `[{spoke: .spec.b, hub: .spec.c}]`)
	cw.Spec.Versions = append(cw.Spec.Versions, table(t, `[{spoke: .spec.a, hub: .spec.c}]`).Spec.Versions...)
	cw.Spec.Versions[1].Name = "v1alpha1"
	c, err := conversion.Compile(crd, cw)
	if err != nil {
		t.Fatal(err)
	}
	alpha := convert(t, c, convert(t, c, thing("v1", `"spec":{"c":"1","hub":"2"}`), "v1alpha1"), "v1beta1")
	if got, want := strip(t, alpha), thing("v1beta1", `"spec":{"b":"1"}`); !sameJSON(t, got, want) {
		t.Errorf("v1beta1 is %s, want %s", got, want)
	}
	if back, want := convert(t, c, alpha, "v1"), thing("v1", `"spec":{"c":"1","hub":"2"}`); !sameJSON(t, back, want) {
		t.Errorf("v1 is %s, want %s", back, want)
	}
}
