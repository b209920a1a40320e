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

// An anchor that stands for ever more of itself costs next to nothing: the text is
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
