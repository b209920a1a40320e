package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestCEL shows what expressions make of what they see. Every object comes back as
// it was.
func TestCEL(t *testing.T) {
	text, number, truth := "{type: string}", "{type: integer}", "{type: boolean}"
	list := func(of string) string { return "{type: array, items: " + of + "}" }
	object := func(p string) string { return "{type: object, properties: {" + p + "}}" }
	pair := []string{spec("range: " + text), spec("low: " + number + ", high: " + number),
		`[{spoke: .spec.range, hub: {low: .spec.low, high: .spec.high}, cel: {toHub: {low: "int(self.spec.range.split('-')[0])", high: "int(self.spec.range.split('-')[1])"}, toSpoke: "string(self.spec.low) + '-' + string(self.spec.high)"}}]`}
	one := func(a, b, toHub, toSpoke string) []string {
		return []string{spec("a: " + a), spec("b: " + b), `[{spoke: .spec.a, hub: .spec.b, cel: {toHub: "` + toHub + `", toSpoke: "` + toSpoke + `"}}]`}
	}
	optional := one(text, text, `self.?spec.?a.orValue('none')`, `self.?spec.b`)
	summary := []string{spec("a: " + text + ", num: " + number), spec("a: " + text + ", num: " + number + ", sum: " + text),
		`[{hub: .spec.sum, cel: {toHub: "(has(self.spec.a) ? self.spec.a : 'nobody') + ':' + string(self.spec.num)"}}]`}
	items := []string{spec("jobs: " + list(object("name: "+text+", cmd: "+text))), spec("names: " + list(text) + ", jobs: " + list(object("name: "+text+", cmd: "+text))),
		`[{hub: .spec.names, cel: {toHub: "self.spec.jobs.filter(j, has(j.name)).map(j, j.name)"}}]`}
	inner := []string{spec("owner: " + text + ", jobs: " + list(object("name: "+text+", cmd: "+text))), spec("owner: " + text + ", jobs: " + list(object("name: "+text+", line: "+text))),
		`[{spoke: .spec.jobs, hub: .spec.jobs, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .line, cel: {toHub: "object.spec.owner + '/' + self.cmd", toSpoke: "self.line.split('/')[1]"}}]}}]`}
	whole := []string{spec("a: " + list(number)), spec("b: " + list(text)),
		`[{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: ., hub: ., cel: {toHub: "'n' + string(self)", toSpoke: "int(self.substring(1))"}}]}}]`}
	objects := one(list(object("k: "+text+", v: "+number)), "{type: object, additionalProperties: "+number+"}",
		`self.spec.a.transformMapEntry(i, e, {e.k: e.v})`, `self.spec.b.map(k, {'k': k, 'v': self.spec.b[k]})`)
	dashed := []string{spec("dash-ed: " + text + ", namespace: " + text), spec("b: " + object("x-y: "+text)),
		`[{spoke: .spec.dash-ed, hub: .spec.b, cel: {toHub: "{'x-y': self.spec.dash__dash__ed + self.spec.namespace}", toSpoke: "self.spec.b.x__dash__y.replace('z', '')"}}, {spoke: .spec.namespace}]`}
	anything := one("{x-kubernetes-preserve-unknown-fields: true}", text, `self.spec.a.deep['k'] + ''`, `{'deep': {'k': self.spec.b}}`)
	defaulted := []string{spec("a: {type: integer, default: 5}"), spec("b: " + number), `[{spoke: .spec.a, hub: .spec.b, cel: {toHub: "self.spec.a + 1", toSpoke: "self.spec.b - 1"}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{pair, "v1beta1", `{"range":"1-9007199254740993"}`, `{"low":1,"high":9007199254740993}`},
		{pair, "v1beta1", `{"range":"1"}`, `{}`},
		{pair, "v1beta1", `{"range":"01-2"}`, `{"low":1,"high":2}`},
		{pair, "v1beta1", `{}`, `{}`},
		{pair, "v1", `{"low":3,"high":4}`, `{"range":"3-4"}`},
		{pair, "v1", `{"low":3}`, `{}`},
		{optional, "v1beta1", `{}`, `{"b":"none"}`},
		{optional, "v1", `{}`, `{}`},
		{optional, "v1", `{"b":"x"}`, `{"a":"x"}`},
		{summary, "v1beta1", `{"a":"x","num":3}`, `{"a":"x","num":3,"sum":"x:3"}`},
		{summary, "v1beta1", `{"num":3}`, `{"num":3,"sum":"nobody:3"}`},
		{summary, "v1", `{"num":3,"sum":"odd"}`, `{"num":3}`},
		{items, "v1beta1", `{"jobs":[{"name":"a","cmd":"x"},{"cmd":"y"},{"name":"b"}]}`, `{"jobs":[{"name":"a","cmd":"x"},{"cmd":"y"},{"name":"b"}],"names":["a","b"]}`},
		{inner, "v1beta1", `{"owner":"o","jobs":[{"name":"a","cmd":"x"},{"name":"b"}]}`, `{"owner":"o","jobs":[{"name":"a","line":"o/x"},{"name":"b"}]}`},
		{inner, "v1", `{"owner":"o","jobs":[{"name":"a","line":"p/x"},{"name":"b","line":"none"}]}`, `{"owner":"o","jobs":[{"name":"a","cmd":"x"},{"name":"b"}]}`},
		{whole, "v1beta1", `{"a":[1,22]}`, `{"b":["n1","n22"]}`},
		{whole, "v1", `{"b":["n1","x","n3"]}`, `{"a":[1,3]}`},
		{objects, "v1", `{"b":{"y":2,"x":1}}`, `{"a":[{"k":"x","v":1},{"k":"y","v":2}]}`},
		{objects, "v1beta1", `{"a":[{"k":"b","v":1},{"k":"a","v":2}]}`, `{"b":{"a":2,"b":1}}`},
		{objects, "v1beta1", `{"a":[{"k":"b","v":1},{"k":"b","v":2}]}`, `{}`},
		{dashed, "v1beta1", `{"dash-ed":"a","namespace":"z"}`, `{"b":{"x-y":"az"}}`},
		{anything, "v1beta1", `{"a":{"deep":{"k":"v"}}}`, `{"b":"v"}`},
		{anything, "v1beta1", `{"a":{"deep":{"k":5},"more":[1.5]}}`, `{}`},
		{anything, "v1", `{"b":"v"}`, `{"a":{"deep":{"k":"v"}}}`},
		{defaulted, "v1beta1", `{"a":5}`, `{"b":6}`},
		{defaulted, "v1", `{"b":9}`, `{"a":8}`},
		{one(text, "{type: number}", `double(self.spec.a)`, `string(self.spec.b)`), "v1beta1", `{"a":"1.5"}`, `{"b":1.5}`},
		{one(text, "{type: number}", `double(self.spec.a)`, `string(self.spec.b)`), "v1beta1", `{"a":"NaN"}`, `{}`},
		{one(text, "{type: string, format: byte}", `bytes(self.spec.a)`, `string(self.spec.b)`), "v1beta1", `{"a":"hi"}`, `{"b":"aGk="}`},
		{one(text, "{type: string, format: date-time}", `timestamp(self.spec.a)`, `string(self.spec.b)`), "v1beta1", `{"a":"2026-01-02T03:04:05Z"}`, `{"b":"2026-01-02T03:04:05Z"}`},
		{one(number, "{type: string, format: duration}", `duration(string(self.spec.a) + 's')`, `int(self.spec.b.getSeconds())`), "v1beta1", `{"a":90}`, `{"b":"90s"}`},
		{one(number, text, `quantity(string(self.spec.a) + 'Mi')`, `quantity(self.spec.b).asInteger() / 1048576`), "v1beta1", `{"a":2048}`, `{"b":"2Gi"}`},
		{one(number, "{x-kubernetes-int-or-string: true}", `self.spec.a > 9 ? dyn('many') : dyn(self.spec.a)`, `type(self.spec.b) == int ? self.spec.b : 10`), "v1beta1", `{"a":10}`, `{"b":"many"}`},
		{one(truth, text, `null`, `true`), "v1beta1", `{"a":true}`, `{}`},
		{one(number, number, `1 / self.spec.a`, `self.spec.b`), "v1beta1", `{"a":0}`, `{}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// What a row could not compute back is restored unless an edit changes what it
// reads, and an edit of the value itself is used.
func TestCELEdits(t *testing.T) {
	c := compiled(t, spec("size: {type: string}, unit: {type: string}"), spec("bytes: {type: integer}, unit: {type: string}"),
		`[{spoke: .spec.size, hub: .spec.bytes, cel: {toHub: "quantity(self.spec.size).asInteger()", toSpoke: "string(self.spec.bytes) + self.?spec.?unit.orValue('')"}}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"size":"2Ki"}`), "v1")
	for _, test := range []struct{ old, new, want string }{
		{"", "", `{"size":"2Ki"}`},
		{`"bytes":2048`, `"bytes":4096`, `{"size":"4096"}`},
		{`"bytes":2048`, `"bytes":2048,"unit":"k"`, `{"size":"2048k","unit":"k"}`},
		{`"bytes":2048`, `"bytes":2048.0`, `{"size":"2Ki"}`},
	} {
		edited := strings.Replace(there, test.old, test.new, 1)
		if got, want := convert(t, c, edited, "v1beta1"), thing("v1beta1", `"spec":`+test.want); !sameJSON(t, strip(t, got), want) {
			t.Errorf("%s becomes %s, want %s", edited, got, want)
		}
	}
}

// A finding has the error of the expression that could not convert the value.
func TestCELFindings(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b, cel: {toHub: "int(self.spec.a)", toSpoke: "string(self.spec.b)"}}]`)
	findings, err := c.Check(t.Context(), []byte(thing("v1beta1", `"spec":{"a":"x"}`)), nil)
	if err != nil || len(findings) != 1 {
		t.Fatal(findings, err)
	}
	if want := `the value can't be represented in v1 (.spec.b); use a value that the expression can convert; error: type conversion error from 'string' to 'int'`; findings[0].Message != want {
		t.Errorf("got %q, want %q", findings[0].Message, want)
	}
}

// One of several expressions that fails takes the row with it, and is named.
func TestCELFindingsOfSeveral(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, b: {type: string}"), spec("list: {type: array, items: {type: string}}"),
		`[{spoke: {a: .spec.a, b: .spec.b}, hub: .spec.list, cel: {toHub: "[self.spec.a, self.spec.b]", toSpoke: {a: "self.spec.list[0]", b: "self.spec.list[1]"}}}]`)
	object := thing("v1", `"spec":{"list":["x"]}`)
	if got, want := strip(t, convert(t, c, object, "v1beta1")), thing("v1beta1", `"spec":{}`); !sameJSON(t, got, want) {
		t.Errorf("got %s", got)
	}
	const why = "a value that the expression can convert; error: toSpoke b: index out of bounds: 1"
	findings, err := c.Check(t.Context(), []byte(object), nil)
	if err != nil || len(findings) != 1 || !strings.HasSuffix(findings[0].Message, why) {
		t.Error(findings, err)
	}
	explained, err := c.Explain(t.Context(), []byte(object), "v1beta1")
	if err != nil || len(explained.Steps[0].Kept) != 1 || explained.Steps[0].Kept[0].Needs != why {
		t.Errorf("%+v, %v", explained, err)
	}
}

// An expression that costs too much is one that cannot be computed, after the same
// work on every machine.
func TestCELLimits(t *testing.T) {
	c := compiled(t, spec("a: {type: array, items: {type: integer}}"), spec("a: {type: array, items: {type: integer}}, num: {type: integer}"),
		`[{hub: .spec.num, cel: {toHub: "self.spec.a.map(x, self.spec.a.map(y, self.spec.a.filter(z, z == x + y).size())).size()"}}]`)
	for n, want := range map[int]string{10: `,"num":10`, 300: ""} {
		list := `"a":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]`
		if got := convert(t, c, thing("v1beta1", `"spec":{`+list+`}`), "v1"); !sameJSON(t, strip(t, got), thing("v1", `"spec":{`+list+want+`}`)) {
			t.Errorf("%d elements become %s", n, got)
		}
	}
}

// TestCELProblems holds the messages for expressions that are wrong.
func TestCELProblems(t *testing.T) {
	beta := spec("name: {type: string}, num: {type: integer}, m: {type: object, additionalProperties: {type: string}}, token: {type: string}") + "\nstatus: {type: object, properties: {num: {type: integer}}}"
	v1 := spec("title: {type: string}, count: {type: integer}, list: {type: array, items: {type: string}}, secret: {type: string}") + "\nstatus: {type: object, properties: {num: {type: integer}}}"
	both := func(toHub string) string {
		return `{spoke: .spec.name, hub: .spec.title, cel: {toHub: "` + toHub + `", toSpoke: "self.spec.title"}}`
	}
	for _, test := range []struct{ rows, want string }{
		{both(`self.spec.name = 'a' ? 'b' : 'c'`), `cel: toHub: at character 16: Syntax error: token recognition error at: '= '; write ==`},
		{both(`self.spec.name == 'a' & self.spec.num == 1 ? 'b' : 'c'`), `cel: toHub: at character 23: Syntax error: token recognition error at: '& '; write &&`},
		{both(`self.spec.nam`), `cel: toHub: at character 10: undefined field 'nam'; did you mean name?`},
		{both(`self.?spec.?nam`), `cel: toHub: at character 11: undefined field 'nam'; did you mean name?`},
		{both(`self.spec.whatever`), `cel: toHub: at character 10: undefined field 'whatever'; its fields are m, name, num, token`},
		{both(`true ? {'x': 'y'} : self.spec.name`), `cel: toHub: at character 6: found no matching overload for '_?_:_' applied to '(bool, map(string, string), string)'; both results must have the same type: write dyn(...) around each`},
		{both(`has(self.spec.name) ? self.spec.name : 5`), `cel: toHub: at character 21: found no matching overload for '_?_:_' applied to '(bool, string, int)'; both results must have the same type: write string(...) around the one that is not a string`},
		{both(`has(self.spec.name) ? 1 : 1.5`), `cel: toHub: at character 21: found no matching overload for '_?_:_' applied to '(bool, int, double)'; both results must have the same type: write double(...) around the other one`},
		{both(`self.spec + self.spec.name`), `cel: toHub: at character 11: found no matching overload for '_+_' applied to '(object, string)'; one of the two is an object: name a field of it`},
		{both(`[self.spec].exists(e, e == self.status) ? 'a' : 'b'`), `cel: toHub: at character 25: found no matching overload for '_==_' applied to '(object, object)'; the two are objects of different types: write dyn(...) around each`},
		{both(`string([self.spec].indexOf(self.status))`), `cel: toHub: at character 27: found no matching overload for 'indexOf' applied to 'list(object).(object)'; the two are objects of different types: write dyn(...) around each`},
		{both(`spec.name`), `cel: toHub: at character 1: undeclared reference to 'spec' (in container ''); did you mean self.spec?`},
		{both(`has(self.spec.name) ? optional.none() : self.spec.name`), `cel: toHub: at character 21: found no matching overload for '_?_:_' applied to '(bool, optional_type(dyn), string)'; if one result is optional, the other must be, too: read it as self.spec.?a, or write optional.of(...) around it`},
		{both(`[{'x': 1}] + [self.spec.name]`), `cel: toHub: at character 12: found no matching overload for '_+_' applied to '(list(map(string, int)), list(string))'; the elements of both lists must have the same type: write dyn(...) around each element, for example [dyn({...})] + self.list.map(e, dyn(e))`},
		{both(`slef.spec.name`), `cel: toHub: at character 1: undeclared reference to 'slef' (in container ''); did you mean self?`},
		{both(`self.spec.name +`), `cel: toHub: at character 17: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`},
		{both(`self.spec.num`), `cel: toHub: it returns an integer, but the field is of type string; convert it with string()`},
		{both(`self.spec.name == null ? 'x' : self.spec.name`), `cel: toHub: at character 16: found no matching overload for '_==_' applied to '(string, null)'; an absent field is not null: test it with has(self.field) or self.?field.hasValue()`},
		{both(`self.spec.name + self.spec.num`), `cel: toHub: at character 16: found no matching overload for '_+_' applied to '(string, int)'; the two are of different types: write string(...) around the one that is not a string`},
		{both(`self.metadata.annotations.size() > 0 ? 'a' : 'b'`), `cel: toHub: it reads .metadata.annotations: in metadata, an expression can only read name, generateName, namespace, and a single label or annotation; name one, for example self.metadata.?annotations[?'example.com/owner']`},
		{both(`self.metadata.annotations['stash.crosswalk.dev/v1']`), `cel: toHub: it reads .metadata.annotations['stash.crosswalk.dev/v1']: annotations of crosswalk.dev are reserved for Crosswalk; use a prefix of your own`},
		{both(`self == self ? 'a' : 'b'`), `cel: toHub: it reads all of self; name the fields that it needs, for example self.spec`},
		{both(`self.spec.m.map(self, self)[0]`), `cel: toHub: a macro declares the variable self, which is the name of the object at the row's scope; use another name`},
		{both(`{'a': '1', 'b': '2'}.map(k, k)[0]`), `cel: toHub: it iterates over a map that it creates, whose entries have no order; iterate over a map of the object, or over a list`},
		{both(`string(timestamp(self.spec.name).getHours('Europe/Zurich'))`), `cel: toHub: the meaning of a time zone's name depends on the machine; use an offset, for example getHours('+02:00')`},
		{both(`string(self.status.num)`), `the row connects spec and status, so a client that may write one of them also writes the other; write crosses: true if that is intended`},
		{`{spoke: .spec.name, hub: .spec.title, cel: {}}`, `cel: there is no expression for the spoke field: toSpoke is missing; add it; cel: {toSpoke: optional.none()} leaves the field absent`},
		{`{spoke: .spec.name, hub: .spec.title, cel: {toHub: {a: "1"}, toSpoke: "self.spec.title"}}`, `cel: toHub has several expressions, but the row has one hub field; write one expression`},
		{`{spoke: .spec.name, hub: {a: .spec.title, b: .spec.count}, cel: {toHub: {a: "'1'"}, toSpoke: "self.spec.title"}}`, `cel: toHub has expressions for a, but the hub fields are a, b; write an expression for each field`},
		{`{hub: .spec.title, cel: {toHub: "self.spec.name", toSpoke: "self.spec.title"}}`, `cel: toSpoke computes nothing, because the row has no spoke field; remove it, or add the spoke field that it computes`},
		{`{hub: .spec.list, cel: {toHub: "[1]"}}`, `cel: toHub: it returns an integer, but the field is of type string; convert it with string()`},
		{`{hub: .spec.count, cel: {toHub: "1.5"}}`, `cel: toHub: it returns a number, but the field is of type integer; convert it with int(), which removes the fraction`},
		{`{spoke: .spec.token, hub: .spec.secret, sensitive: true}, {hub: .spec.title, cel: {toHub: "self.spec.token"}}`, `cel: .spec.token is sensitive, but a value that cannot be computed back is kept in an annotation, with a hash of the fields that the expression reads; use a row without a mapping for it, or drop it with a reason`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), table(t, `[`+test.rows+`]`))
		if err == nil {
			t.Errorf("%s compiles", test.rows)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if _, got, _ := strings.Cut(first, "): "); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.rows, got, test.want)
		}
	}
}

// Within a named table an expression is about the object that the table is for:
// where that is absent, nothing is computed.
func TestCELInTables(t *testing.T) {
	util := "{type: object, properties: {util: {type: integer}}}"
	target := "{type: object, properties: {kind: {type: string}, util: {type: integer}}}"
	c, err := tabled(t, spec("one: "+util+", two: "+util), spec("one: "+target+", two: "+target),
		`tables: {t: [{hub: .kind, cel: {toHub: "has(self.util) ? 'U' : 'A'"}}]}, rows: [{spoke: .spec.one, hub: .spec.one, table: t}, {spoke: .spec.two, hub: .spec.two, table: t}]`)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{}`:                         `{}`,
		`{"one":{}}`:                 `{"one":{"kind":"A"}}`,
		`{"two":{"util":1}}`:         `{"two":{"kind":"U","util":1}}`,
		`{"one":{"util":2},"two":5}`: `{"one":{"kind":"U","util":2},"two":5}`,
	} {
		object := thing("v1beta1", `"spec":`+body)
		there := convert(t, c, object, "v1")
		if got := strip(t, there); !sameJSON(t, got, thing("v1", `"spec":`+want)) {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, object) {
			t.Errorf("%s comes back as %s", body, back)
		}
	}
}
