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
		{"what absence stands for", spec("old: {type: array, items: {type: object, properties: {nodes: {type: string, default: 10%}}}}"), spec("new: {type: array, items: {type: object, properties: {nodes: {type: string, default: 10%}}}}"), `[{spoke: .spec.old, hub: .spec.new, default: {spoke: [{nodes: 10%}]}}]`, `"new":[{"nodes":"10%"}]`},
		{"an object", spec("a: {type: string}"), spec("a: {type: string}, o: {type: object, default: {in: {x: 1}}, properties: {in: {type: object, properties: {x: {type: integer, default: 1}, w: {type: integer, default: 2}}}, v: {type: integer, default: 3}}}"), `[]`, `"o":{"in":{"w":2,"x":1},"v":3}`},
		{"a constant", spec("a: {type: string}"), spec("a: {type: string}, " + budgets), `[{hub: .spec.budgets, constant: [{nodes: 10%, why: fixed}]}]`, `"budgets":[{"why":"fixed","nodes":"10%"}]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.beta, test.v1, test.rows)
			if got, want := convert(t, c, thing("v1beta1", `"spec":{}`), "v1"), thing("v1", `"spec":{`+test.want+`}`); strip(t, got) != want {
				t.Errorf("\ngot  %s\nwant %s", strip(t, got), want)
			}
		})
	}
}
