package conversion_test

import (
	"strings"
	"testing"
)

// undeclared is a schema that says nothing of what is in spec.
const undeclared = "spec: {type: object, x-kubernetes-preserve-unknown-fields: true}"

// A list whose elements one version declares and the other does not: what cannot be an
// element there is kept where it stood, since the API server would prune it.
func TestUndeclaredElements(t *testing.T) {
	c := compiled(t, undeclared, spec("tags: {type: array, items: {type: string}}"), `[]`)
	source := thing("v1beta1", `"spec":{"tags":["a",{"x":1},"b",null]}`)
	there := convert(t, c, source, "v1")
	if got, want := strip(t, there), thing("v1", `"spec":{"tags":["a","b"]}`); !sameJSON(t, got, want) {
		t.Errorf("v1 has %s", got)
	}
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("it came back as %s", back)
	}
	edited := strings.Replace(there, `"tags":["a","b"]`, `"tags":["b","c"]`, 1)
	if got, want := strip(t, convert(t, c, edited, "v1beta1")), thing("v1beta1", `"spec":{"tags":[{"x":1},"b",null,"c"]}`); !sameJSON(t, got, want) {
		t.Errorf("edited it came back as %s", got)
	}
}

// If one schema declares nothing, the type of the field follows from the other one.
func TestUndeclaredPlaces(t *testing.T) {
	list := "{type: array, items: {type: object, properties: {name: {type: string}, x: {type: integer}}}}"
	for _, test := range []struct{ other, row, from, body, want string }{
		{spec("b: " + list), `{spoke: .spec.a, hub: .spec.b, keyed: {key: name}}`, "v1beta1", `{"a":{"k":{"x":1}}}`, `{"b":[{"name":"k","x":1}]}`},
		{spec("b: " + list), `{spoke: .spec.a, hub: .spec.b, keyed: {key: name}}`, "v1beta1", `{"a":[1]}`, `{}`},
		{spec("b: " + list), `{spoke: .spec.a, hub: .spec.b, keyed: {key: name, value: x}}`, "v1", `{"b":[{"name":"k","x":1}]}`, `{"a":{"k":1}}`},
		{spec("b: {type: object, additionalProperties: {type: integer}}"), `{spoke: .spec.a, hub: .spec.b, keyed: {key: name, value: x}}`, "v1", `{"b":{"k":1}}`, `{"a":[{"name":"k","x":1}]}`},
		{spec("b: {type: array, items: {type: integer}}"), `{spoke: .spec.a, hub: .spec.b, join: {separator: ","}}`, "v1beta1", `{"a":"1,2"}`, `{"b":[1,2]}`},
		{spec("b: {type: string}"), `{spoke: .spec.a, hub: .spec.b, join: {separator: ","}}`, "v1", `{"b":"1,2"}`, `{"a":["1","2"]}`},
		{spec("b: {type: object, properties: {x: {type: integer}}}"), `{spoke: .spec.a, hub: .spec.b, text: yaml}`, "v1beta1", `{"a":"x: 1\n"}`, `{"b":{"x":1}}`},
		{spec("b: {type: string}"), `{spoke: .spec.a, hub: .spec.b, text: yaml}`, "v1", `{"b":"x: 1\n"}`, `{"a":{"x":1}}`},
		{spec("b: {type: string}, c: {type: integer}"), `{spoke: .spec.a, hub: {b: .spec.b, c: .spec.c}, template: "{b}:{c}"}`, "v1beta1", `{"a":"x:1"}`, `{"b":"x","c":1}`},
	} {
		checkView(t, []string{undeclared, test.other, "[" + test.row + "]"}, test.from, test.body, test.want)
	}
}
