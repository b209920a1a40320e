package conversion_test

import (
	"strings"
	"testing"
)

// TestEditedElements edits the other version's view, and looks at what becomes of
// the parts that only the first version has.
func TestEditedElements(t *testing.T) {
	object := func(p string) string { return "{type: object, properties: {" + p + "}}" }
	list := func(of string) string { return "{type: array, items: " + of + "}" }
	dict := func(of string) string { return "{type: object, additionalProperties: " + of + "}" }
	text := "{type: string}"
	named := object("name: " + text + ", value: " + text + ", q: " + text)
	row := func(mapping string) string { return `[{spoke: .spec.a, hub: .spec.b, ` + mapping + `}]` }
	wrap := []string{spec("a: " + list(text)), spec("b: " + list(named)), row("wrap: name")}
	env := []string{spec("a: " + list(named)), spec("b: " + dict(text)), row("keyed: {key: name, value: value}")}
	ports := []string{spec("a: " + dict(object("p: "+text+", q: "+text))), spec("b: " + list(object("name: "+text+", p: "+text+", r: "+text))), row("keyed: {key: name}")}
	single := []string{spec("a: " + object("h: "+text)), spec("b: " + list(object("h: "+text+", q: "+text))), row("single: {}")}
	for _, test := range []struct {
		name       string
		tables     []string
		from, body string
		old, edit  string // in the view of the other version
		want       string
	}{
		{"reordered", wrap, "v1", `{"b":[{"name":"x","q":"1"},{"name":"y","q":"2"}]}`, `["x","y"]`, `["y","x"]`, `{"b":[{"name":"y","q":"2"},{"name":"x","q":"1"}]}`},
		{"inserted", wrap, "v1", `{"b":[{"name":"x","q":"1"},{"name":"y","q":"2"}]}`, `["x","y"]`, `["new","x","y"]`, `{"b":[{"name":"new"},{"name":"x","q":"1"},{"name":"y","q":"2"}]}`},
		{"deleted", wrap, "v1", `{"b":[{"name":"x","q":"1"},{"name":"y","q":"2"}]}`, `["x","y"]`, `["y"]`, `{"b":[{"name":"y","q":"2"}]}`},
		{"whole elements keep their places", wrap, "v1", `{"b":[{"q":"0"},{"name":"x"},{"q":"1"},{"name":"y"},{"q":"2"}]}`, `["x","y"]`, `["y","new","x"]`,
			`{"b":[{"q":"0"},{"name":"y"},{"q":"2"},{"name":"new"},{"name":"x"},{"q":"1"}]}`},
		{"whole elements whose predecessor is gone", wrap, "v1", `{"b":[{"name":"x"},{"q":"1"},{"name":"y"}]}`, `["x","y"]`, `["y"]`, `{"b":[{"q":"1"},{"name":"y"}]}`},
		{"added to a map", env, "v1beta1", `{"a":[{"name":"B","value":"2","q":"x"},{"name":"A","value":"1"}]}`, `"B":"2"`, `"B":"2","C":"3"`, `{"a":[{"name":"B","value":"2","q":"x"},{"name":"A","value":"1"},{"name":"C","value":"3"}]}`},
		{"changed in a map", env, "v1beta1", `{"a":[{"name":"B","value":"2","q":"x"},{"name":"A","value":"1"}]}`, `"B":"2"`, `"B":"3"`, `{"a":[{"name":"B","value":"3","q":"x"},{"name":"A","value":"1"}]}`},
		{"taken out of a map", env, "v1beta1", `{"a":[{"name":"B","value":"2"},{"name":"A","value":"1"},{"name":"B","value":"9"},{"name":"C","q":"x"}]}`, `"B":"2",`, ``, `{"a":[{"name":"A","value":"1"},{"name":"C","q":"x"}]}`},
		{"added to the map", env, "v1beta1", `{"a":[{"name":"C","q":"x"},{"name":"A","value":"1"}]}`, `"A":"1"`, `"A":"1","C":"3"`, `{"a":[{"name":"A","value":"1"},{"name":"C","value":"3"}]}`},
		{"reordered, out of a map", ports, "v1beta1", `{"a":{"x":{"p":"1","q":"2"},"y":{"p":"3","q":"4"}}}`, `"name":"x"`, `"name":"z"`, `{"a":{"z":{"p":"1"},"y":{"p":"3","q":"4"}}}`},
		{"alone", single, "v1", `{"b":[{"h":"x","q":"1"},{"h":"y","q":"2"}]}`, `"h":"x"`, `"h":"z"`, `{"b":[{"h":"z","q":"1"},{"h":"y","q":"2"}]}`},
		{"alone no more", single, "v1", `{"b":[{"h":"x","q":"1"},{"h":"y","q":"2"}]}`, `"a":{"h":"x"}`, ``, `{}`},
	} {
		c := compiled(t, test.tables[0], test.tables[1], test.tables[2])
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		there := convert(t, c, thing(test.from, `"spec":`+test.body), to)
		at := strings.LastIndex(there, `"spec":`)
		if !strings.Contains(there[at:], test.old) {
			t.Errorf("%s: the view is %s", test.name, there)
			continue
		}
		edited := there[:at] + strings.Replace(there[at:], test.old, test.edit, 1)
		back := convert(t, c, edited, test.from)
		if got, want := strip(t, back), thing(test.from, `"spec":`+test.want); !sameJSON(t, got, want) {
			t.Errorf("%s: %s\nedited to\n%s\ngives\n%s, want\n%s", test.name, there, edited, got, want)
		}
		// L2: the edit is there.
		if again := convert(t, c, back, to); !sameJSON(t, strip(t, again), strip(t, edited)) {
			t.Errorf("%s: the edited view comes back as\n%s, was\n%s", test.name, again, edited)
		}
	}
}

// TestUnmappedMappings shows what strict writes refuse of the mappings, and what
// they let pass.
func TestUnmappedMappings(t *testing.T) {
	c := compiled(t, spec("s: {type: integer}, t: {type: boolean}, l: {type: string}, one: {type: string}, env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}, c: {type: string}, v: {type: string}, w: {type: string}, live: {type: string}"),
		spec("live: {type: boolean}, s: {type: string}, t: {type: string}, l: {type: array, items: {type: string}}, one: {type: array, items: {type: string}}, env: {type: object, additionalProperties: {type: string}}, c: {type: object, properties: {x: {type: integer}}}, kind: {type: string}, val: {type: string}"),
		`[{spoke: .spec.live, hub: .spec.live, scalar: {}}, {spoke: .spec.s, hub: .spec.s, scalar: {hub: duration, unit: s}}, {spoke: .spec.t, hub: .spec.t, boolean: {true: Some, false: None}}, {spoke: .spec.l, hub: .spec.l, join: {separator: ","}},
{spoke: .spec.one, hub: .spec.one, single: {}}, {spoke: .spec.env, hub: .spec.env, keyed: {key: name, value: value}}, {spoke: .spec.c, hub: .spec.c, text: json}, {spoke: {V: .spec.v, W: .spec.w}, hub: {type: .spec.kind, value: .spec.val}, variant: {}}]`)
	for _, test := range []struct{ version, body, want string }{
		{"v1", `"s":"1500ms"`, ".spec.s: the value can't be represented in v1beta1 (.spec.s); use a value that can be written as an integer"},
		{"v1", `"s":"90s"`, ""},
		{"v1beta1", `"live":"True"`, ""},
		{"v1beta1", `"live":"enabled"`, ".spec.live: the value can't be represented in v1 (.spec.live); use true or false, or 1, 0, t, f, T, F, True, False, TRUE or FALSE"},
		{"v1", `"t":"Maybe"`, ".spec.t: the value can't be represented in v1beta1 (.spec.t); use Some or None"},
		{"v1", `"l":["a,b"]`, `.spec.l: the value can't be represented in v1beta1 (.spec.l); use elements that do not contain ",", and not a single empty element`},
		{"v1", `"one":["a","b"]`, ".spec.one[1]: the value can't be represented in v1beta1 (.spec.one); use only one element"},
		{"v1", `"one":[]`, ""},
		{"v1beta1", `"env":[{"name":"A"},{"value":"1"}]`, ".spec.env[0]: the value can't be represented in v1 (.spec.env); use a unique name that .spec.env accepts as a key, and a value"},
		{"v1beta1", `"c":"{\"x\":\"text\"}"`, ".spec.c: the value can't be represented in v1 (.spec.c); use JSON that .spec.c can hold"},
		{"v1beta1", `"v":"1","w":"2"`, ".spec.v: the value can't be represented in v1 (.spec.kind, .spec.val); use only one of .spec.v and .spec.w"},
		{"v1", `"kind":"X","val":"2"`, ".spec.kind: the value can't be represented in v1beta1 (.spec.v, .spec.w); use V or W, and a value in .spec.val"},
	} {
		findings, err := c.Check(t.Context(), []byte(thing(test.version, `"spec":{`+test.body+`}`)), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(findings) > 0 {
			got = findings[0].Field + ": " + findings[0].Message
		}
		if got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.body, got, test.want)
		}
	}
}
