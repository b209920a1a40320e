package conversion_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTextViews(t *testing.T) {
	typed := "{type: object, properties: {level: {type: string, default: info}, size: {type: integer}, tags: {type: array, items: {type: string}}, extra: {type: object, x-kubernetes-preserve-unknown-fields: true}}}"
	in := func(format, data string) []string {
		return []string{spec("a: {type: string}"), spec("b: " + data), `[{spoke: .spec.a, hub: .spec.b, text: ` + format + `}]`}
	}
	json, yaml, list := in("json", typed), in("yaml", typed), in("yaml", "{type: array, items: {type: integer}}")
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{json, "v1beta1", `{"a":"{\"size\": 9007199254740993, \"extra\": {\"x\": 1.50}}"}`, `{"b":{"size":9007199254740993,"extra":{"x":1.5},"level":"info"}}`},
		{json, "v1beta1", `{"a":"{\"unknown\": 1}"}`, `{"b":{"level":"info"}}`},
		{json, "v1beta1", `{"a":"{\"size\": \"large\"}"}`, `{}`},
		{json, "v1beta1", `{"a":"{\"size\": 1, \"size\": 2}"}`, `{}`},
		{json, "v1beta1", `{"a":"size: 1"}`, `{}`},
		{json, "v1beta1", `{"a":""}`, `{}`},
		{json, "v1", `{"b":{"tags":["a"],"size":1,"level":"info"}}`, `{"a":"{\"size\":1,\"tags\":[\"a\"]}"}`},
		{yaml, "v1beta1", `{"a":"# how large\nsize: 0x10\ntags: [a, \"yes\"]\n"}`, `{"b":{"size":16,"tags":["a","yes"],"level":"info"}}`},
		{yaml, "v1beta1", `{"a":"size: 1\n---\nsize: 2\n"}`, `{}`},
		{yaml, "v1beta1", `{"a":"a: &a [*a]"}`, `{}`},
		{yaml, "v1beta1", `{"a":"extra: {a: &a [1, 2], b: [*a, *a], c: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]}"}`, `{"b":{"extra":{"a":[1,2],"b":[[1,2],[1,2]],"c":[[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2],[1,2]]},"level":"info"}}`},
		{yaml, "v1", `{"b":{"tags":["a","yes"],"extra":{"k":{}},"level":"info"}}`, `{"a":"extra:\n  k: {}\ntags:\n- a\n- \"yes\"\n"}`},
		{list, "v1beta1", `{"a":"- 1\n- 2\n"}`, `{"b":[1,2]}`},
		{list, "v1", `{"b":[]}`, `{"a":"[]\n"}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// What only the text says stays in it when the data is edited: beside what is still
// there, and in the element of a list with the same key, or else the same content.
func TestTextRecalls(t *testing.T) {
	for _, test := range []struct{ format, data, was, there, edited, want string }{
		{"yaml", "{type: object, properties: {level: {type: string}, size: {type: integer}}}",
			`# mine\nsize: 1\nown: {a: 0x10}\n`, `{"size":1}`, `{"size":2,"level":"info"}`, `level: info\nown:\n  a: 16\nsize: 2\n`},
		{"json", "{type: object, properties: {level: {type: string}, inner: {type: object, properties: {x: {type: integer}}}}}",
			`{\"inner\": {\"x\": 1, \"own\": [null]}, \"last\": 1.50}`, `{"inner":{"x":1}}`, `{"inner":{"x":2},"level":"a"}`, `{\"inner\":{\"own\":[null],\"x\":2},\"last\":1.5,\"level\":\"a\"}`},
		{"json", "{type: object, properties: {level: {type: string}, inner: {type: object, properties: {x: {type: integer}}}}}",
			`{\"inner\": {\"x\": 1, \"own\": 1}, \"last\": 1}`, `{"inner":{"x":1}}`, `{"level":"a"}`, `{\"last\":1,\"level\":\"a\"}`},
		{"yaml", "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}, x: {type: integer}}}}",
			`- {id: a, x: 1, own: 1}\n- {id: b, own: 2}\n`, `[{"id":"a","x":1},{"id":"b"}]`, `[{"id":"c"},{"id":"b"},{"id":"a","x":5}]`, `- id: c\n- id: b\n  own: 2\n- id: a\n  own: 1\n  x: 5\n`},
		{"yaml", "{type: array, items: {type: object, properties: {x: {type: integer}}}}",
			`- {x: 1, own: 1}\n- {x: 2, own: 2}\n`, `[{"x":1},{"x":2}]`, `[{"x":2},{"x":3}]`, `- own: 2\n  x: 2\n- x: 3\n`},
	} {
		c := compiled(t, spec("a: {type: string}"), spec("b: "+test.data), `[{spoke: .spec.a, hub: .spec.b, text: `+test.format+`}]`)
		there := convert(t, c, thing("v1beta1", `"spec":{"a":"`+test.was+`"}`), "v1")
		if got, want := strip(t, there), thing("v1", `"spec":{"b":`+test.there+`}`); !sameJSON(t, got, want) {
			t.Errorf("%s: v1 has %s", test.was, got)
		}
		edited := strings.Replace(there, `"b":`+test.there, `"b":`+test.edited, 1)
		back := convert(t, c, edited, "v1beta1")
		if got, want := strip(t, back), thing("v1beta1", `"spec":{"a":"`+test.want+`"}`); !sameJSON(t, got, want) {
			t.Errorf("%s, edited to %s, is %s", test.was, test.edited, got)
		}
		if got, want := strip(t, convert(t, c, back, "v1")), thing("v1", `"spec":{"b":`+test.edited+`}`); !sameJSON(t, got, want) {
			t.Errorf("the edit came back as %s", got)
		}
	}
}

// An anchor that contains itself again and again costs next to nothing: the text is
// kept as it is.
func TestTextBomb(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: object, x-kubernetes-preserve-unknown-fields: true}"), `[{spoke: .spec.a, hub: .spec.b, text: yaml}]`)
	bomb := `a: &a0 [x, x, x, x, x, x, x, x, x]\n`
	for i := range 20 {
		bomb += fmt.Sprintf(`b%d: &a%[1]d [%s]\n`, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	source := thing("v1beta1", `"spec":{"a":"`+bomb+`"}`)
	there := convert(t, c, source, "v1")
	if got, want := strip(t, there), thing("v1", `"spec":{}`); !sameJSON(t, got, want) {
		t.Errorf("%.200s", got)
	}
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("back it is %.200s", back)
	}
}

// Directives that no document needs cost next to nothing: the text is kept as it is.
func TestTextDirectives(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: object, x-kubernetes-preserve-unknown-fields: true}"), `[{spoke: .spec.a, hub: .spec.b, text: yaml}]`)
	for _, directives := range []int{100, 101} {
		var text strings.Builder
		for i := range directives {
			fmt.Fprintf(&text, `%%TAG !a%d! tag:x\n`, i)
		}
		source := thing("v1beta1", `"spec":{"a":"`+text.String()+`---\nk: v\n"}`)
		there := convert(t, c, source, "v1")
		if isRead := strings.Contains(there, `"b":{"k":"v"}`); isRead != (directives == 100) {
			t.Errorf("a text with %d directives is read: %t", directives, isRead)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
			t.Errorf("back it is %.200s", back)
		}
	}
}

// Neither does an anchor of a long word make an object that is beyond all bounds.
func TestTextGrowth(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: object, x-kubernetes-preserve-unknown-fields: true}"), `[{spoke: .spec.a, hub: .spec.b, text: yaml}]`)
	for _, times := range []int{3, 30, 1000} {
		text := `a: &a ` + strings.Repeat("x", 10_000) + `\nb: [` + strings.Repeat("*a, ", times) + `1]\n`
		source := thing("v1beta1", `"spec":{"a":"`+text+`"}`)
		there := convert(t, c, source, "v1")
		if len(there) > 10*len(source) {
			t.Errorf("%d characters become %d", len(source), len(there))
		}
		if isRead := strings.Contains(there, `"b":{`); isRead != (times == 3) {
			t.Errorf("an anchor that is used %d times is read: %t", times, isRead)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
			t.Errorf("back it is %.200s", back)
		}
	}
}
