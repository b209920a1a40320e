package conversion_test

import "testing"

// TestElementViews shows what either version sees of elements that are held
// differently, and that the way back is exact.
func TestElementViews(t *testing.T) {
	object := func(p string) string { return "{type: object, properties: {" + p + "}}" }
	list := func(of string) string { return "{type: array, items: " + of + "}" }
	dict := func(of string) string { return "{type: object, additionalProperties: " + of + "}" }
	text, null := "{type: string}", "{type: string, nullable: true}"
	row := func(mapping string) string { return `[{spoke: .spec.a, hub: .spec.b, ` + mapping + `}]` }

	single := []string{spec("a: " + text), spec("b: " + list(text)), row("single: {}")}
	only := []string{spec("a: " + text), spec("b: " + list(text)), row("single: {longer: none}")}
	nulls := []string{spec("a: " + text), spec("b: " + list(null)), row("single: {}")}
	backend := []string{spec("a: " + object("h: "+text+", p: "+text)), spec("b: " + list(object("host: "+text+", q: "+text))), row("single: {rows: [{spoke: .h, hub: .host}]}")}
	wrap := []string{spec("a: " + list(text)), spec("b: " + list(object("name: "+text+", q: "+text))), row("wrap: name")}
	wrapMap := []string{spec("a: " + dict(object("v: "+text+", q: "+text))), spec("b: " + dict(text)), row("wrap: v")}
	enum := []string{spec("a: " + list(text)), spec("b: " + list(text)), row("each: {rows: [{spoke: ., hub: ., values: {A: X}, closed: true}]}")}
	env := []string{spec("a: " + list(object("name: "+text+", value: "+text+", from: "+text))), spec("b: " + dict(text)), row("keyed: {key: name, value: value}")}
	ports := []string{spec("a: " + dict(object("num: {type: integer}, p: "+text))), spec("b: " + list(object("name: "+text+", number: {type: integer}, q: "+text))), row("keyed: {key: name, rows: [{spoke: .num, hub: .number}]}")}
	numbers := []string{spec("a: " + dict(text)), spec("b: " + list(object("port: {type: integer}, name: "+text))), row("keyed: {key: port, value: name}")}
	fields := []string{spec("a: " + object("cpu: "+text+", memory: "+text)), spec("b: " + list(object("name: "+text+", value: "+text))), row("keyed: {key: name, value: value}")}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{single, "v1beta1", `{"a":"x"}`, `{"b":["x"]}`},
		{single, "v1beta1", `{}`, `{}`},
		{single, "v1beta1", `{"a":5}`, `{}`},
		{single, "v1", `{"b":["x","y","z"]}`, `{"a":"x"}`},
		{single, "v1", `{"b":[]}`, `{}`},
		{single, "v1", `{"b":[null,"x"]}`, `{}`},
		{only, "v1", `{"b":["x"]}`, `{"a":"x"}`},
		{only, "v1", `{"b":["x","y"]}`, `{}`},
		{only, "v1beta1", `{"a":"x"}`, `{"b":["x"]}`},
		{nulls, "v1", `{"b":[null,"x"]}`, `{}`},
		{nulls, "v1", `{"b":["x",null]}`, `{"a":"x"}`},
		{backend, "v1beta1", `{"a":{"h":"x","p":"1"}}`, `{"b":[{"host":"x"}]}`},
		{backend, "v1beta1", `{"a":{}}`, `{"b":[{}]}`},
		{backend, "v1", `{"b":[{"host":"x","q":"1"},{"q":"2"}]}`, `{"a":{"h":"x"}}`},
		{backend, "v1", `{"b":[5,{"q":"2"}]}`, `{}`},
		{wrap, "v1beta1", `{"a":["x","y","x"]}`, `{"b":[{"name":"x"},{"name":"y"},{"name":"x"}]}`},
		{wrap, "v1beta1", `{"a":[]}`, `{"b":[]}`},
		{wrap, "v1beta1", `{"a":[null,"x",null]}`, `{"b":[{"name":"x"}]}`},
		{wrap, "v1", `{"b":[{"name":"x","q":"1"},{"q":"2"},{"name":"x","q":"3"},{}]}`, `{"a":["x","x"]}`},
		{wrapMap, "v1", `{"b":{"k":"x","l":""}}`, `{"a":{"k":{"v":"x"},"l":{"v":""}}}`},
		{wrapMap, "v1beta1", `{"a":{"k":{"v":"x","q":"1"},"l":{"q":"2"}}}`, `{"b":{"k":"x"}}`},
		{enum, "v1beta1", `{"a":["A","B","A"]}`, `{"b":["X","X"]}`},
		{env, "v1beta1", `{"a":[{"name":"B","value":"2"},{"name":"A","value":"1"}]}`, `{"b":{"A":"1","B":"2"}}`},
		{env, "v1beta1", `{"a":[{"name":"B","value":"2"},{"name":"A","from":"x"},{"value":"3"},{"name":"B","value":"4"},null]}`, `{"b":{"B":"2"}}`},
		{env, "v1", `{"b":{"z":"2","a":"1","é":""}}`, `{"a":[{"name":"a","value":"1"},{"name":"z","value":"2"},{"name":"é","value":""}]}`},
		{env, "v1", `{"b":{"z":5,"a":"1"}}`, `{"a":[{"name":"a","value":"1"}]}`},
		{env, "v1", `{"b":{}}`, `{"a":[]}`},
		{ports, "v1beta1", `{"a":{"z":{"num":2,"p":"x"},"a":{}}}`, `{"b":[{"name":"a"},{"name":"z","number":2}]}`},
		{ports, "v1", `{"b":[{"name":"z","number":2,"q":"1"},{"name":"a"}]}`, `{"a":{"z":{"num":2},"a":{}}}`},
		{numbers, "v1beta1", `{"a":{"443":"tls","80":"web","080":"x","1e3":"x","web":"x"}}`, `{"b":[{"port":443,"name":"tls"},{"port":80,"name":"web"}]}`},
		{numbers, "v1", `{"b":[{"port":80,"name":"web"},{"port":-1,"name":"none"},{"port":80,"name":"x"},{"port":"443"}]}`, `{"a":{"80":"web","-1":"none"}}`},
		{fields, "v1beta1", `{"a":{"memory":"1Gi","cpu":"1"}}`, `{"b":[{"name":"cpu","value":"1"},{"name":"memory","value":"1Gi"}]}`},
		{fields, "v1", `{"b":[{"name":"memory","value":"1Gi"},{"name":"gpu","value":"2"},{"name":"cpu"}]}`, `{"a":{"memory":"1Gi"}}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// If a schema allows anything, a row for the elements of a list may find a map, and the
// other way round. It is kept like any other value that the row cannot map.
func TestElementsOfAnything(t *testing.T) {
	const any, inner = "{x-kubernetes-preserve-unknown-fields: true}", "{type: object, properties: {b: {type: string}}}"
	for _, test := range []struct{ hub, value string }{
		{"{type: array, items: " + inner + "}", `{}`}, {"{type: array, items: " + inner + "}", `{"x":{"a":"1"}}`},
		{"{type: object, additionalProperties: " + inner + "}", `[]`}, {"{type: object, additionalProperties: " + inner + "}", `[{"a":"1"}]`},
	} {
		c := compiled(t, spec("all: "+any), spec("all: "+test.hub), `[{spoke: .spec.all, hub: .spec.all, each: {rows: [{spoke: .a, hub: .b}]}}]`)
		source := thing("v1beta1", `"spec":{"all":`+test.value+`}`)
		there := convert(t, c, source, "v1")
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
			t.Errorf("%s becomes %s and then %s", source, there, back)
		}
	}
}
