package conversion_test

import (
	"strings"
	"testing"
)

// The API server does not default what a conversion returns, so what is filled
// in has to be whole.
func TestConvertFillsDefaultsWithTheDefaultsInside(t *testing.T) {
	budgets := "budgets: {type: array, default: [{nodes: 10%}], items: {type: object, properties: {nodes: {type: string, default: 10%}, why: {type: string}}}}"
	for _, test := range []struct{ name, beta, v1, rows, want string }{
		{"a list that the hub alone has", spec("a: {type: string}"), spec("a: {type: string}, " + budgets), `[]`, `"budgets":[{"nodes":"10%"}]`},
		{"a list that both have", spec("budgets: {type: array, items: {type: object, properties: {nodes: {type: string}}}}"), spec(budgets), `[]`, `"budgets":[{"nodes":"10%"}]`},
		{"a list that is one in both by default", spec(strings.Replace(budgets, ", why: {type: string}", "", 1)), spec(budgets), `[]`, `"budgets":[{"nodes":"10%"}]`},
		{"a default in an element", spec("old: {type: array, items: {type: object, properties: {nodes: {type: string, default: 10%}}}}"), spec("new: {type: array, items: {type: object, properties: {nodes: {type: string, default: 10%}}}}"), `[{spoke: .spec.old, hub: .spec.new, default: {spoke: [{nodes: 10%}]}}]`, `"new":[{"nodes":"10%"}]`},
		{"an object", spec("a: {type: string}"), spec("a: {type: string}, o: {type: object, default: {in: {x: 1}}, properties: {in: {type: object, properties: {x: {type: integer, default: 1}, w: {type: integer, default: 2}}}, v: {type: integer, default: 3}}}"), `[]`, `"o":{"in":{"w":2,"x":1},"v":3}`},
		{"a text", spec("s: {type: string}"), spec("o: {type: object, default: {v: 3}, properties: {in: {type: array, items: {type: object, properties: {x: {type: integer}, w: {type: integer, default: 2}}}}, v: {type: integer, default: 3}}}"), `[{spoke: .spec.s, hub: .spec.o, text: json, default: {spoke: '{"in":[{"x":1}]}'}}]`, `"o":{"in":[{"w":2,"x":1}],"v":3}`},
		{"an expression", spec("s: {type: string}"), spec("o: {type: object, properties: {x: {type: integer}, w: {type: integer, default: 2}}}"), `[{hub: .spec.o, cel: {toHub: "{'x': 1}"}}]`, `"o":{"w":2,"x":1}`},
		{"an object that says less where it is absent", spec("o: {type: object, default: {w: 2}, properties: {x: {type: integer}, w: {type: integer, default: 2}}}"), spec("o: {type: object, default: {x: 1}, properties: {x: {type: integer}, w: {type: integer, default: 2}}}"), `[]`, `"o":{"w":2}`},
		{"an object that is no more than the defaults in it", spec("o: {type: object, default: {}, properties: {x: {type: integer, default: 1}}}"), spec("o: {type: object, properties: {x: {type: integer, default: 1}}}"), `[]`, `"o":{"x":1}`},
		{"an object of which the default says what its members say", spec("o: {type: object, default: {x: 1}, properties: {x: {type: integer, default: 1}}}"), spec("moved: {type: object, properties: {x: {type: integer, default: 1}}}"), `[{spoke: .spec.o, hub: .spec.moved}]`, `"moved":{"x":1}`},
		{"a constant", spec("a: {type: string}"), spec("a: {type: string}, " + budgets), `[{hub: .spec.budgets, constant: [{nodes: 10%, why: fixed}]}]`, `"budgets":[{"nodes":"10%","why":"fixed"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.beta, test.v1, test.rows)
			if got, want := convert(t, c, thing("v1beta1", `"spec":{}`), "v1"), thing("v1", `"spec":{`+test.want+`}`); strip(t, got) != want {
				t.Errorf("\ngot  %s\nwant %s", strip(t, got), want)
			}
		})
	}
}

// The API server fills in the default of an object that is absent. So the object must be there if an absent field
// in it is a value of the table.
func TestConvertMakesAnObjectInWhichAbsenceIsAValue(t *testing.T) {
	c := compiled(t, spec("o: {type: object, default: {c: 30, s: x}, properties: {c: {type: integer}, s: {type: string}}}"), spec("p: {type: object, properties: {c: {type: integer}, s: {type: string}}}"),
		`[{spoke: .spec.o.c, hub: .spec.p.c, default: {spoke: 1}}, {spoke: .spec.o.s, hub: .spec.p.s}]`)
	for _, test := range []struct{ name, v1, beta string }{
		{"the value of absence", `{"p":{"c":1}}`, `{"o":{}}`},
		{"another value", `{"p":{"c":2}}`, `{"o":{"c":2}}`},
		{"no value", `{"p":{}}`, `{"o":{"c":30,"s":"x"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			there := convert(t, c, thing("v1", `"spec":`+test.v1), "v1beta1")
			if want := thing("v1beta1", `"spec":`+test.beta); !sameJSON(t, strip(t, there), want) {
				t.Errorf("\ngot  %s\nwant %s", there, want)
			}
		})
	}
}

// What the schema requires has to be there, and a constant in it is what there is to
// say of it.
func TestConvertMakesARequiredObjectForItsConstant(t *testing.T) {
	target := "{type: object, required: [metric, target], properties: {metric: {type: object, properties: {name: {type: string}}}, target: {type: object, required: [type], properties: {type: {type: string}, by: {type: string, default: all}, value: {type: string}}}}}"
	c := compiled(t, spec("pods: {type: object, properties: {name: {type: string}, value: {type: string}}}"), spec("pods: "+target),
		`[{spoke: .spec.pods.name, hub: .spec.pods.metric.name}, {spoke: .spec.pods.value, hub: .spec.pods.target.value, default: {hub: "0"}}, {hub: .spec.pods.target.type, constant: Value}]`)
	for _, test := range []struct{ name, beta, v1 string }{
		{"nothing else makes it", `{"pods":{"name":"x","value":"0"}}`, `{"pods":{"metric":{"name":"x"},"target":{"type":"Value","by":"all"}}}`},
		{"a row makes it", `{"pods":{"value":"1"}}`, `{"pods":{"target":{"value":"1","type":"Value","by":"all"}}}`},
		{"there is nothing around it", `{}`, `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := thing("v1beta1", `"spec":`+test.beta)
			there := convert(t, c, source, "v1")
			if want := thing("v1", `"spec":`+test.v1); !sameJSON(t, strip(t, there), want) {
				t.Errorf("\ngot  %s\nwant %s", there, want)
			}
			if strings.Contains(there, "stash") {
				t.Errorf("it keeps something: %s", there)
			}
			if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
				t.Errorf("it comes back as %s", back)
			}
		})
	}
	partial := thing("v1", `"spec":{"pods":{"metric":{"name":"x"}}}`)
	if back := convert(t, c, convert(t, c, partial, "v1beta1"), "v1"); !sameJSON(t, back, partial) {
		t.Errorf("a fragment without it comes back as %s", back)
	}
}
