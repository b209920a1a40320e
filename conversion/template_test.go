package conversion_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestTemplateWithAnOptionalPart converts both ways, and what the other version does not
// show comes back.
func TestTemplateWithAnOptionalPart(t *testing.T) {
	const image = `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "{a}[:{b}]"}]`
	for _, test := range []struct{ a, b, rows, from, source, view string }{
		{"string", "string", image, "v1beta1", `"s":"nginx:1.27"`, `"a":"nginx","b":"1.27"`},
		{"string", "string", image, "v1beta1", `"s":"nginx"`, `"a":"nginx"`},
		{"string", "string", image, "v1beta1", `"s":"nginx:"`, `"a":"nginx","b":""`},
		{"string", "string", image, "v1beta1", `"s":""`, `"a":""`},
		{"string", "string", image, "v1beta1", `"s":"a\":\\u003d"`, `"a":"a\"","b":"\\u003d"`},
		{"string", "string", image, "v1beta1", ``, ``},
		{"string", "string", image, "v1", `"a":"nginx"`, `"s":"nginx"`},
		{"string", "string", image, "v1", `"a":"host:80/nginx"`, `"s":"host:80/nginx"`}, // which is another one on the way back
		{"string", "string", image, "v1", `"b":"1.27"`, ``},
		{"string", "string", image, "v1", `"a":null,"b":"1.27"`, ``},
		{"string", "integer", image, "v1beta1", `"s":"host:80"`, `"a":"host","b":80`},
		{"string", "integer", image, "v1beta1", `"s":"host:http"`, `"a":"host:http"`},
		{"string", "integer", image, "v1beta1", `"s":"host:080"`, `"a":"host","b":80`},
		{"integer", "string", image, "v1beta1", `"s":"x:1"`, ``},
		{"string", "string", `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "[{a}/]{b}"}]`, "v1beta1", `"s":"library/nginx"`, `"a":"library","b":"nginx"`},
		{"string", "string", `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "[{a}/]{b}"}]`, "v1beta1", `"s":"nginx"`, `"b":"nginx"`},
		{"string", "string", `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "[[{a}]]{{[:{b}]}}"}]`, "v1beta1", `"s":"[x]{:y}"`, `"a":"x","b":"y"`},
		{"string", "string", `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "[[{a}]]{{[:{b}]}}"}]`, "v1", `"a":"x"`, `"s":"[x]{}"`},
	} {
		c := compiled(t, spec("s: {type: string}"), spec("a: {type: "+test.a+"}, b: {type: "+test.b+"}"), test.rows)
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		source, view := thing(test.from, `"spec":{`+test.source+`}`), thing(to, `"spec":{`+test.view+`}`)
		there := convert(t, c, source, to)
		if !sameJSON(t, strip(t, there), view) {
			t.Errorf("%s gives %s, want %s", source, there, view)
		}
		want := source
		if test.source == `"a":null,"b":"1.27"` {
			want = thing(test.from, `"spec":{"b":"1.27"}`)
		}
		if back := convert(t, c, there, test.from); !sameJSON(t, back, want) {
			t.Errorf("%s comes back as %s", source, back)
		}
	}
}

// TestWrongTemplates: each message says how to mend the template.
func TestWrongTemplates(t *testing.T) {
	for _, test := range []struct{ template, want string }{
		{"{a}[:{b}", `template "{a}[:{b}": [ without ]; a bracket itself is written twice`},
		{"{a}:{b}]", `template "{a}:{b}]": a ] without [; a bracket itself is written twice`},
		{"{a}[[:{b}]", `template "{a}[[:{b}]": a ] without [; a bracket itself is written twice`},
		{"[{a}]:[{b}]", `template "[{a}]:[{b}]": only one part may be in brackets; a bracket itself is written twice`},
		{"x[{a}:{b}]", `template "x[{a}:{b}]": all holes are in brackets; one outside says whether there is a text`},
		{"{a}[-x]:{b}", `template "{a}[-x]:{b}": no hole is in the brackets, so nothing says whether they count; a bracket itself is written twice`},
		{"{a}[:]{b}", `template "{a}[:]{b}", without what is in brackets: {b} follows another hole at once, so nothing tells where it begins; put a separator between them`},
		{"{a}[{b}]", `template "{a}[{b}]": {b} follows another hole at once, so nothing tells where it begins; put a separator between them`},
		{"{a}[:x]", `template "{a}[:x]": the named place b has no hole; write {b} where it belongs`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": spec("s: {type: string}"), "v1": spec("a: {type: string}, b: {type: string}")}),
			table(t, `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, template: "`+test.template+`"}]`))
		want := "crosswalk things.example.com: v1beta1 row 1 (.spec.s <-> .spec.a, .spec.b): " + test.want
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", test.template, err, want)
		}
	}
}
