package conversion_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestTemplateWithOptionalParts converts both ways, and what the other version does not
// show comes back.
func TestTemplateWithOptionalParts(t *testing.T) {
	const (
		tag      = "{a}[:{b}]"
		image    = "[{a}/]{b}[:{c}][@{d}]"
		endpoint = "{a}[:{i}][/{b}]"
		origin   = "[{a}://]{b}[:{i}]"
		strict   = "{a}[:{b!/}][@{c}]"
	)
	for _, test := range []struct{ template, from, source, view string }{
		{tag, "v1beta1", `"s":"nginx:1.27"`, `"a":"nginx","b":"1.27"`},
		{tag, "v1beta1", `"s":"nginx"`, `"a":"nginx"`},
		{tag, "v1beta1", `"s":"nginx:"`, `"a":"nginx","b":""`},
		{tag, "v1beta1", `"s":""`, `"a":""`},
		{tag, "v1beta1", `"s":"a\":\\u003d"`, `"a":"a\"","b":"\\u003d"`},
		{tag, "v1beta1", ``, ``},
		{tag, "v1", `"a":"nginx"`, `"s":"nginx"`},
		{tag, "v1", `"a":"host:80/nginx"`, `"s":"host:80/nginx"`}, // which is another one on the way back
		{tag, "v1", `"b":"1.27"`, ``},
		{tag, "v1", `"a":null,"b":"1.27"`, ``},
		{"{a}[:{i}]", "v1beta1", `"s":"host:80"`, `"a":"host","i":80`},
		{"{a}[:{i}]", "v1beta1", `"s":"host:http"`, `"a":"host:http"`},
		{"{a}[:{i}]", "v1beta1", `"s":"host:080"`, `"a":"host","i":80`},
		{"{i}[:{a}]", "v1beta1", `"s":"x:1"`, ``},
		{"{a}[:{i}]", "v1", `"a":"host","i":"80"`, ``},
		{"[{a}/]{b}", "v1beta1", `"s":"library/nginx"`, `"a":"library","b":"nginx"`},
		{"[{a}/]{b}", "v1beta1", `"s":"nginx"`, `"b":"nginx"`},
		{"[[{a}]]{{[:{b}]}}", "v1beta1", `"s":"[x]{:y}"`, `"a":"x","b":"y"`},
		{"[[{a}]]{{[:{b}]}}", "v1", `"a":"x"`, `"s":"[x]{}"`},

		{image, "v1beta1", `"s":"nginx"`, `"b":"nginx"`},
		{image, "v1beta1", `"s":"docker.io/library/nginx:1.27@sha256:ab"`, `"a":"docker.io","b":"library/nginx","c":"1.27","d":"sha256:ab"`},
		{image, "v1beta1", `"s":"nginx@sha256:ab"`, `"b":"nginx","d":"sha256:ab"`},
		{image, "v1beta1", `"s":"localhost:5000/nginx"`, `"a":"localhost:5000","b":"nginx"`},
		{image, "v1beta1", `"s":"localhost:5000/nginx:1"`, `"a":"localhost:5000","b":"nginx","c":"1"`},
		{image, "v1", `"b":"nginx","d":"sha256:ab"`, `"s":"nginx@sha256:ab"`},
		{image, "v1", `"a":"quay.io","b":"nginx"`, `"s":"quay.io/nginx"`},
		{image, "v1", `"b":"library/nginx"`, `"s":"library/nginx"`}, // which is another one on the way back
		{image, "v1", `"a":"quay.io","c":"1"`, ``},

		{endpoint, "v1beta1", `"s":"host"`, `"a":"host"`},
		{endpoint, "v1beta1", `"s":"[::1]:80/a:b/c"`, `"a":"[::1]","i":80,"b":"a:b/c"`},
		{endpoint, "v1beta1", `"s":"host/a:80"`, `"a":"host","b":"a:80"`},
		{endpoint, "v1", `"a":"host","b":"x"`, `"s":"host/x"`},
		{origin, "v1beta1", `"s":"https://[::1]:443"`, `"a":"https","b":"[::1]","i":443`},
		{origin, "v1beta1", `"s":"host:443"`, `"b":"host","i":443`},
		{origin, "v1beta1", `"s":"http://host"`, `"a":"http","b":"host"`},
		{"{i}[.{j}][.{a}]", "v1beta1", `"s":"1.2"`, `"i":1,"j":2`},
		{"{i}[.{j}][.{a}]", "v1", `"i":1,"a":"x"`, `"s":"1.x"`},
		{"{i}[.{j}][.{a}]", "v1", `"i":1,"a":"2"`, `"s":"1.2"`}, // which is another one on the way back

		{strict, "v1beta1", `"s":"localhost:5000/nginx"`, `"a":"localhost:5000/nginx"`},
		{strict, "v1beta1", `"s":"localhost:5000/nginx:1@sha256:ab"`, `"a":"localhost:5000/nginx","b":"1","c":"sha256:ab"`},
		{strict, "v1", `"a":"nginx","b":"x/y"`, ``}, // which would not be read as a tag
		{"{a}:{b!é/}", "v1", `"a":"nginx","b":"\u00e9"`, ``},
		{"{a}:{i}", "v1", `"a":"","i":-9223372036854775808`, `"s":":-9223372036854775808"`},
		{"{a}[:{i}]", "v1beta1", `"s":"a:9223372036854775808"`, `"a":"a:9223372036854775808"`},
		{"{a}[:{i}]", "v1beta1", `"s":"a:+1"`, `"a":"a:+1"`},
		{"{a!/}:{b}", "v1beta1", `"s":"a:b:c/d:e"`, `"a":"a:b","b":"c/d:e"`},
		{"{a!/}:{b}", "v1beta1", `"s":"a/b:c"`, ``},
	} {
		c := compiled(t, spec("s: {type: string}"), spec(partsOf), partsRow(test.template))
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		source, view := thing(test.from, `"spec":{`+test.source+`}`), thing(to, `"spec":{`+test.view+`}`)
		there := convert(t, c, source, to)
		if !sameJSON(t, strip(t, there), view) {
			t.Errorf("%s: %s gives %s, want %s", test.template, source, there, view)
		}
		want := source
		if test.source == `"a":null,"b":"1.27"` {
			want = thing(test.from, `"spec":{"b":"1.27"}`)
		}
		if back := convert(t, c, there, test.from); !sameJSON(t, back, want) {
			t.Errorf("%s: %s comes back as %s", test.template, source, back)
		}
	}
}

// partsOf are places for the holes of templates; i and j are integers.
const partsOf = "a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, i: {type: integer}, j: {type: integer}"

// partsRow is a row for a template whose holes have the names of their places.
func partsRow(template string) string {
	places := ""
	for _, name := range []string{"a", "b", "c", "d", "i", "j"} {
		if regexp.MustCompile(`\{` + name + `[}!:]`).MatchString(template) {
			places += name + ": .spec." + name + ", "
		}
	}
	return `[{spoke: .spec.s, hub: {` + strings.TrimSuffix(places, ", ") + `}, template: "` + template + `"}]`
}

// TestWrongTemplates: each message says how to mend the template.
func TestWrongTemplates(t *testing.T) {
	for _, test := range []struct{ template, want string }{
		{"{a}[:{b}", `[ without ]; write a bracket in the text twice`},
		{"{a}:{b}]", `a ] without [; write a bracket in the text twice`},
		{"{a}[[:{b}]", `a ] without [, because [[ is a bracket in the text; brackets can't contain brackets: write one part after the other, for example [{a}/][{b}/]{c}`},
		{"[[{a}/]{b}/]{c}", `a ] without [, because [[ is a bracket in the text; brackets can't contain brackets: write one part after the other, for example [{a}/][{b}/]{c}`},
		{"{a}[:{b}[@{c}]]-{d}", `brackets can't contain brackets; write one part after the other, each in its own brackets, for example {a}[:{b}][@{c}]-{d}; write a bracket in the text twice`},
		{"{a}[[{b}@]:{c}]", `a ] without [, because [[ is a bracket in the text; brackets can't contain brackets: write one part after the other, for example [{a}/][{b}/]{c}`},
		{"{a}:{b}}", `a } without {; write a brace in the text twice`},
		{"{a}:{b", `{ without }; write a brace in the text twice`},
		{"[{a}]:[{b}]", `all placeholders are in brackets; at least one must be outside`},
		{"x[{a}:{b}]", `all placeholders are in brackets; at least one must be outside`},
		{"{a}[-x]:{b}", `[-x] has no placeholder, so it can't be optional; write a bracket in the text twice`},
		{"{a}[.{b}[.{c}]]", `brackets can't contain brackets; write one part after the other, each in its own brackets, for example {a}[.{b}][.{c}]; write a bracket in the text twice`},
		{"{a}[{b}]", `{b} follows another placeholder without a separator, so its beginning can't be found; put a separator between them, for example [:{b}]`},
		{"{a}[:{b}]{c}", `{c} follows another placeholder without a separator, so its beginning can't be found; put a separator between them`},
		{"{a}[:{b}:]{c}", `{c} follows {a} without a separator if [:{b}:] is missing, so its beginning can't be found; put a separator between them that is not in brackets`},
		{"{a}[:{b};][-{c}-]{d}", `{d} follows {a} without a separator if [:{b};][-{c}-] is missing, so its beginning can't be found; put a separator between them that is not in brackets`},
		{"{a}:{i!/}", `{i!/} is an integer, which has only digits; write {i}`},
		{"{a}:{b!}", `{b!} does not have the characters that it never takes; write them after the !, or remove it`},
		{"{a:[^:]+}:{b}", "{a:[^:]+} is not a placeholder; write {a}, or {a!:} for one that takes no colons"},
		{"{a}:{b!/}{b}", `the placeholder {b} occurs twice`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": spec("s: {type: string}"), "v1": spec(partsOf)}), table(t, partsRow(test.template)))
		if err == nil || !strings.HasSuffix(err.Error(), `: template "`+test.template+`": `+test.want) {
			t.Errorf("%s\ngot  %v\nwant %s", test.template, err, test.want)
		}
	}
}

// Placeholders of other languages, which are text here, are reported or warned of.
func TestForeignTemplates(t *testing.T) {
	const v1 = "host: {type: string}, port: {type: integer}"
	for template, want := range map[string]string{
		"{{.host}}:{{.port}}":          `the template has no placeholder for the field host; add {host}, in single braces: write a brace in the text twice`,
		"{.spec.host}:{.spec.port}":    `{.spec.host} is not a placeholder: it must have the name of a field, and not its path; write {host}`,
		"${host}:${port}":              `the $ before a placeholder is a character of the text; write the placeholders without it: {host}:{port}; if that is intended, leave it`,
		"{host}(:{port})?":             `parentheses and what follows them are characters of the text; write optional parts in brackets, for example {a}[:{b}]; if that is intended, leave it`,
		"{host} (at {port})":           "",
		"{host}[:{port}]":              "",
		"http://{host}:{port}/?q=$(x)": "",
	} {
		row := `[{spoke: .spec.s, hub: {host: .spec.host, port: .spec.port}, template: "` + template + `"}]`
		c, err := conversion.Compile(versions(t, map[string]string{"v1beta1": spec("s: {type: string}"), "v1": spec(v1)}), table(t, row))
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case len(c.Warnings()) > 0:
			got = c.Warnings()[0].Error()
		}
		if want != "" {
			want = "crosswalk things.example.com: v1beta1 row 1 (.spec.s <-> .spec.host, .spec.port): template \"" + template + "\": " + want
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", template, got, want)
		}
	}
}

// TestElementsByTemplate ties a list of texts to one of objects. An element is there where
// any of its parts is, be the first by its name one that is missing.
func TestElementsByTemplate(t *testing.T) {
	c := compiled(t, spec("l: {type: array, items: {type: string}}"), spec("l: {type: array, items: {type: object, properties: {key: {type: string}, value: {type: string}, effect: {type: string}, since: {type: string}}}}"),
		`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: ., hub: {key: .key, value: .value, effect: .effect}, template: "{key}[={value}][:{effect}]"}]}}]`)
	for _, test := range []struct{ texts, objects string }{
		{`"k","k=v","k=v:E","k:E",""`, `{"key":"k"},{"key":"k","value":"v"},{"effect":"E","key":"k","value":"v"},{"effect":"E","key":"k"},{"key":""}`},
		{`"k","m"`, `{"key":"k"},{"effect":"E"},{"key":"m","since":"now"},{"key":"n","value":5}`},
	} {
		objects, texts := thing("v1", `"spec":{"l":[`+test.objects+`]}`), thing("v1beta1", `"spec":{"l":[`+test.texts+`]}`)
		there := convert(t, c, objects, "v1beta1")
		if !sameJSON(t, strip(t, there), texts) {
			t.Errorf("%s gives %s, want %s", objects, there, texts)
		}
		if back := convert(t, c, there, "v1"); !sameJSON(t, back, objects) {
			t.Errorf("%s comes back as %s", objects, back)
		}
		if back := convert(t, c, convert(t, c, texts, "v1"), "v1beta1"); !sameJSON(t, back, texts) {
			t.Errorf("%s comes back as %s", texts, back)
		}
	}
}
