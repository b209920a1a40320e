package conversion_test

import "testing"

// TestScalarViews shows what either version sees, and that the way back is
// exact.
func TestScalarViews(t *testing.T) {
	timeout := []string{spec("a: {type: integer}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {hub: duration, unit: s}}]`}
	rounded := []string{spec("a: {type: integer}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {hub: duration, unit: s, round: up}}]`}
	memory := []string{spec("a: {type: integer}"), spec("b: {x-kubernetes-int-or-string: true}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {hub: quantity, unit: Mi}}]`}
	cpu := []string{spec("a: {type: number}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {hub: quantity}}]`}
	text := []string{spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {}}]`}
	numeral := []string{spec("a: {x-kubernetes-int-or-string: true}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {}}]`}
	percent := []string{spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {spoke: percentage}}]`}
	fraction := []string{spec("a: {type: string}"), spec("b: {type: number}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {spoke: percentage, unit: "1"}}]`}
	units := []string{spec("a: {type: integer}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {unit: {spoke: s, hub: ms}}}]`}
	figure := []string{spec("a: {type: string}"), spec("b: {type: number}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {}}]`}
	truth := []string{spec("a: {type: string}"), spec("b: {type: boolean}"), `[{spoke: .spec.a, hub: .spec.b, scalar: {}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{timeout, "v1beta1", `{"a":90}`, `{"b":"1m30s"}`},
		{timeout, "v1beta1", `{"a":300}`, `{"b":"5m0s"}`},
		{timeout, "v1beta1", `{"a":-1}`, `{"b":"-1s"}`},
		{timeout, "v1beta1", `{"a":9223372036854775807}`, `{}`},
		{timeout, "v1", `{"b":"5m"}`, `{"a":300}`},
		{timeout, "v1", `{"b":"1500ms"}`, `{}`},
		{timeout, "v1", `{"b":"soon"}`, `{}`},
		{timeout, "v1", `{"b":"0"}`, `{"a":0}`},
		{rounded, "v1", `{"b":"1500ms"}`, `{"a":2}`},
		{rounded, "v1", `{"b":"-1500ms"}`, `{"a":-1}`},
		{memory, "v1beta1", `{"a":512}`, `{"b":"512Mi"}`},
		{memory, "v1beta1", `{"a":2048}`, `{"b":"2Gi"}`},
		{memory, "v1", `{"b":"1.5Gi"}`, `{"a":1536}`},
		{memory, "v1", `{"b":"1G"}`, `{}`},
		{memory, "v1", `{"b":1048576}`, `{"a":1}`},
		{cpu, "v1beta1", `{"a":0.25}`, `{"b":"250m"}`},
		{cpu, "v1", `{"b":"1"}`, `{"a":1}`},
		{cpu, "v1", `{"b":"9007199254740993"}`, `{"a":9007199254740993}`},
		{cpu, "v1", `{"b":"9007199254740993.5"}`, `{}`},
		{text, "v1beta1", `{"a":"0080"}`, `{"b":80}`},
		{text, "v1beta1", `{"a":"9223372036854775807"}`, `{"b":9223372036854775807}`},
		{text, "v1beta1", `{"a":"9223372036854775808"}`, `{}`},
		{text, "v1beta1", `{"a":"http"}`, `{}`},
		{numeral, "v1beta1", `{"a":80}`, `{"b":"80"}`},
		{numeral, "v1beta1", `{"a":"80"}`, `{"b":"80"}`},
		{numeral, "v1", `{"b":"080"}`, `{"a":"080"}`},
		{percent, "v1beta1", `{"a":"50%"}`, `{"b":50}`},
		{percent, "v1beta1", `{"a":"12.5%"}`, `{}`},
		{fraction, "v1beta1", `{"a":"12.5%"}`, `{"b":0.125}`},
		{units, "v1beta1", `{"a":2}`, `{"b":2000}`},
		{units, "v1", `{"b":2500}`, `{}`},
		{figure, "v1beta1", `{"a":"1e300"}`, `{"b":1e+300}`},
		{figure, "v1beta1", `{"a":"1e309"}`, `{}`}, // the API server could not read it
		{figure, "v1beta1", `{"a":"-1e400"}`, `{}`},
		{truth, "v1beta1", `{"a":"true"}`, `{"b":true}`},
		{truth, "v1beta1", `{"a":"True"}`, `{"b":true}`},
		{truth, "v1beta1", `{"a":"0"}`, `{"b":false}`},
		{truth, "v1beta1", `{"a":"\u0074"}`, `{"b":true}`},
		{truth, "v1beta1", `{"a":"tRUE"}`, `{}`},
		{truth, "v1beta1", `{"a":"yes"}`, `{}`},
		{truth, "v1", `{"b":true}`, `{"a":"true"}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

func TestBooleanViews(t *testing.T) {
	negate := []string{spec("a: {type: boolean}"), spec("b: {type: boolean}"), `[{spoke: .spec.a, hub: .spec.b, boolean: {negate: true}}]`}
	presence := []string{spec("a: {type: boolean}"), spec("b: {type: object, properties: {x: {type: string}}}"), `[{spoke: .spec.a, hub: .spec.b, boolean: {presence: hub}}]`}
	text := []string{spec("a: {type: string}"), spec("b: {type: boolean}"), `[{spoke: .spec.a, hub: .spec.b, boolean: {presence: spoke, true: strict}}]`}
	two := []string{spec("a: {type: boolean}"), spec("b: {type: string, enum: [Enabled, Disabled]}"), `[{spoke: .spec.a, hub: .spec.b, boolean: {true: Enabled, false: Disabled}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{negate, "v1beta1", `{"a":true}`, `{"b":false}`},
		{negate, "v1beta1", `{}`, `{}`},
		{negate, "v1beta1", `{"a":"no"}`, `{}`},
		{presence, "v1beta1", `{"a":true}`, `{"b":{}}`},
		{presence, "v1beta1", `{"a":false}`, `{}`},
		{presence, "v1", `{"b":{"x":"1"}}`, `{"a":true}`},
		{presence, "v1", `{}`, `{}`},
		{text, "v1", `{"b":true}`, `{"a":"strict"}`},
		{text, "v1beta1", `{"a":"loose"}`, `{"b":true}`},
		{two, "v1beta1", `{"a":false}`, `{"b":"Disabled"}`},
		{two, "v1", `{"b":"Enabled"}`, `{"a":true}`},
		{two, "v1", `{"b":"Other"}`, `{}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

func TestJoinViews(t *testing.T) {
	join := func(m string) []string {
		return []string{spec("a: {type: string}"), spec("b: {type: array, items: {type: string}}"), `[{spoke: .spec.a, hub: .spec.b, join: ` + m + `}]`}
	}
	comma, trim, framed, wide := join(`{separator: ","}`), join(`{separator: ",", trim: true}`), join(`{separator: " ", prefix: "[", suffix: "]"}`), join(`{separator: "||"}`)
	numbers := []string{spec("a: {type: array, items: {type: integer}}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, join: {separator: "-"}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{comma, "v1beta1", `{"a":"x,y"}`, `{"b":["x","y"]}`},
		{comma, "v1beta1", `{"a":""}`, `{"b":[]}`},
		{comma, "v1beta1", `{"a":","}`, `{"b":["",""]}`},
		{comma, "v1beta1", `{"a":"é\",\\"}`, `{"b":["é\"","\\"]}`},
		{comma, "v1", `{"b":["x,y"]}`, `{}`},
		{comma, "v1", `{"b":[""]}`, `{}`},
		{comma, "v1", `{"b":["x",1]}`, `{}`},
		{trim, "v1beta1", `{"a":"x , y"}`, `{"b":["x","y"]}`},
		{trim, "v1", `{"b":["x "]}`, `{}`},
		{framed, "v1beta1", `{"a":"[x y]"}`, `{"b":["x","y"]}`},
		{framed, "v1beta1", `{"a":"x y"}`, `{}`},
		{wide, "v1", `{"b":["x|","y"]}`, `{}`},
		{wide, "v1", `{"b":["x","|y"]}`, `{"a":"x|||y"}`},
		{numbers, "v1beta1", `{"a":[1,2]}`, `{"b":"1-2"}`},
		{numbers, "v1", `{"b":"01-2"}`, `{"a":[1,2]}`},
		{numbers, "v1beta1", `{"a":[-1]}`, `{}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// checkView converts a spec by tables (the schemas of v1beta1 and v1, and the
// rows), and back.
func checkView(t *testing.T, tables []string, from, body, want string) {
	t.Helper()
	c := compiled(t, tables[0], tables[1], tables[2])
	to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[from]
	source := thing(from, `"spec":`+body)
	there := convert(t, c, source, to)
	if got, want := strip(t, there), thing(to, `"spec":`+want); !sameJSON(t, got, want) {
		t.Errorf("%s\n%s becomes\n%s, want\n%s", tables[2], source, got, want)
	}
	if back := convert(t, c, there, from); !sameJSON(t, back, source) {
		t.Errorf("%s\n%s comes back as\n%s, through\n%s", tables[2], source, back, there)
	}
}

// An integer of 32 bits holds no more, whatever brings it there.
func TestIntegersOf32Bits(t *testing.T) {
	wide, narrow := "{type: integer}", "{type: integer, format: int32}"
	same := []string{spec("a: " + wide), spec("a: " + narrow), `[]`}
	moved := []string{spec("a: " + wide), spec("b: " + narrow), `[{spoke: .spec.a, hub: .spec.b}]`}
	timeout := []string{spec("a: {type: string}"), spec("b: " + narrow), `[{spoke: .spec.a, hub: .spec.b, scalar: {spoke: duration, unit: s}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{same, "v1beta1", `{"a":2147483647}`, `{"a":2147483647}`},
		{same, "v1beta1", `{"a":2147483648}`, `{}`},
		{moved, "v1beta1", `{"a":-2147483648}`, `{"b":-2147483648}`},
		{moved, "v1beta1", `{"a":-2147483649}`, `{}`},
		{timeout, "v1beta1", `{"a":"596523h"}`, `{"b":2147482800}`},
		{timeout, "v1beta1", `{"a":"1000000h"}`, `{}`},
		{timeout, "v1", `{"b":90}`, `{"a":"1m30s"}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}
