package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

const (
	backends = "l: {type: array, items: {type: object, properties: {namespace: {type: string}, name: {type: string}, port: {type: integer}, w: {type: integer}, p: {type: string}}}}"
	weights  = "m: {type: object, additionalProperties: {type: object, properties: {w: {type: integer}, q: {type: string}}}}"
	counts   = "m: {type: object, additionalProperties: {type: integer}}"
)

// TestKeyedByTemplate ties elements with several keys to names that are made of them.
func TestKeyedByTemplate(t *testing.T) {
	const (
		both     = `"{namespace}/{name}"`
		optional = `"[{namespace}/]{name}"`
		ports    = `"{name}:{port}"`
	)
	for _, test := range []struct{ key, more, dict, from, source, view string }{
		{both, "", weights, "v1beta1", `"l":[{"namespace":"a","name":"b","w":1},{"namespace":"a","name":"c","p":"x"}]`, `"m":{"a/b":{"w":1},"a/c":{}}`},
		{both, ", value: w", counts, "v1beta1", `"l":[{"namespace":"z","name":"b","w":1},{"namespace":"a","name":"b","w":2}]`, `"m":{"z/b":1,"a/b":2}`},
		{both, "", weights, "v1", `"m":{"b/x":{"w":1,"q":"y"},"a/x":{},"none":{"w":2},"a/b/c":{}}`, `"l":[{"namespace":"a/b","name":"c"},{"namespace":"a","name":"x"},{"namespace":"b","name":"x","w":1}]`},
		// Without a part of the key, with one that would be read otherwise, and doubled.
		{both, "", weights, "v1beta1", `"l":[{"name":"b","w":1},{"namespace":"a","name":"b/c","w":2},{"namespace":"a","name":"b","w":3},{"namespace":"a","name":"b","w":4},{"namespace":null,"name":"d"},{"namespace":5,"name":"d"}]`, `"m":{"a/b":{"w":3}}`},
		{both, ", doubled: last", weights, "v1beta1", `"l":[{"namespace":"a","name":"b","w":3,"p":"x"},{"namespace":"a","name":"b","w":4,"p":"y"}]`, `"m":{"a/b":{"w":4}}`},
		{both, "", weights, "v1beta1", `"l":[{"namespace":"\u0061","name":"\\"},{"namespace":"\"","name":"é"}]`, `"m":{"a/\\":{},"\"/é":{}}`},
		{optional, "", weights, "v1beta1", `"l":[{"name":"b","w":1,"p":"x"},{"namespace":"a","name":"b","w":2,"p":"y"},{"namespace":"a","w":3}]`, `"m":{"b":{"w":1},"a/b":{"w":2}}`},
		{optional, "", weights, "v1beta1", `"l":[{"name":"b/c","w":1},{"name":"b","w":2}]`, `"m":{"b":{"w":2}}`},
		{optional, "", weights, "v1", `"m":{"b":{},"a/b":{},"/":{"q":"x"},"":{}}`, `"l":[{"name":""},{"namespace":"","name":""},{"namespace":"a","name":"b"},{"name":"b"}]`},
		{ports, "", weights, "v1beta1", `"l":[{"name":"a","port":80},{"name":"a","port":81,"p":"x"},{"name":"b","port":"80"}]`, `"m":{"a:80":{},"a:81":{}}`},
		{ports, "", weights, "v1", `"m":{"a:80":{"q":"x"},"a:080":{"q":"y"},"a:x":{}}`, `"l":[{"name":"a","port":80}]`},
		{`"svc-{name}"`, "", weights, "v1", `"m":{"svc-a":{"q":"x"},"a":{"q":"y"}}`, `"l":[{"name":"a"}]`},
	} {
		c := compiled(t, spec(backends), spec(test.dict), `[{spoke: .spec.l, hub: .spec.m, keyed: {key: `+test.key+test.more+`}}]`)
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		source, view := thing(test.from, `"spec":{`+test.source+`}`), thing(to, `"spec":{`+test.view+`}`)
		there := convert(t, c, source, to)
		if !sameJSON(t, strip(t, there), view) {
			t.Errorf("%s: %s gives %s, want %s", test.key, source, there, view)
		}
		if back := convert(t, c, there, test.from); !sameJSON(t, back, source) {
			t.Errorf("%s: %s comes back as %s by %s", test.key, source, back, there)
		}
	}
}

// TestEditsOfNamedElements: what a version has alone stays with its element, whichever else
// comes and goes.
func TestEditsOfNamedElements(t *testing.T) {
	for _, test := range []struct{ key, from, source, edit, with, want string }{
		{`"{namespace}/{name}"`, "v1beta1", `"l":[{"namespace":"z","name":"b","p":"x"},{"namespace":"a","name":"b","p":"y"}]`, `"z/b":{}`, `"z/b":{"w":7},"n/b":{}`,
			`"l":[{"namespace":"z","name":"b","w":7,"p":"x"},{"namespace":"a","name":"b","p":"y"},{"namespace":"n","name":"b"}]`},
		{`"{namespace}/{name}"`, "v1beta1", `"l":[{"namespace":"z","name":"b","p":"x"},{"namespace":"a","name":"b","p":"y"}]`, `"z/b":{},`, ``, `"l":[{"namespace":"a","name":"b","p":"y"}]`},
		{`"{namespace}/{name}"`, "v1beta1", `"l":[{"namespace":"z","name":"b","p":"x"}]`, `"z/b":{}`, `"z/c":{}`, `"l":[{"namespace":"z","name":"c"}]`},
		{`"[{namespace}/]{name}"`, "v1beta1", `"l":[{"name":"b","p":"x"},{"namespace":"a","name":"b","p":"y"}]`, `"b":{}`, `"b":{"w":7}`, `"l":[{"name":"b","p":"x","w":7},{"namespace":"a","name":"b","p":"y"}]`},
		{`"{namespace}/{name}"`, "v1", `"m":{"a/b":{"q":"x"},"c":{"q":"y"}}`, `"name":"b"`, `"name":"b","w":3`, `"m":{"a/b":{"q":"x","w":3},"c":{"q":"y"}}`},
		{`"{namespace}/{name}"`, "v1", `"m":{"a/b":{"q":"x"}}`, `"name":"b","namespace":"a"`, `"name":"b","namespace":"z"`, `"m":{"z/b":{}}`},
	} {
		c := compiled(t, spec(backends), spec(weights), `[{spoke: .spec.l, hub: .spec.m, keyed: {key: `+test.key+`}}]`)
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		there := convert(t, c, thing(test.from, `"spec":{`+test.source+`}`), to)
		if !strings.Contains(there, test.edit) {
			t.Fatalf("%s has no %s", there, test.edit)
		}
		back := convert(t, c, strings.Replace(there, test.edit, test.with, 1), test.from)
		if want := thing(test.from, `"spec":{`+test.want+`}`); !sameJSON(t, strip(t, back), want) {
			t.Errorf("%s: %s comes back as %s, want %s", test.key, there, back, want)
		}
	}
}

// TestNamedElementsAreAddressedByTheirKeys: what is kept for an element says which by all of
// its keys.
func TestNamedElementsAreAddressedByTheirKeys(t *testing.T) {
	c := compiled(t, spec(backends), spec(weights), `[{spoke: .spec.l, hub: .spec.m, keyed: {key: "[{namespace}/]{name}"}}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"l":[{"name":"b","p":"x"},{"namespace":"a","name":"b","p":"y"}]}`), "v1")
	for _, want := range []string{`{\"key\":{\"name\":\"b\"}}`, `{\"key\":{\"name\":\"b\",\"namespace\":\"a\"}}`} {
		if !strings.Contains(there, want) {
			t.Errorf("%s has no %s", there, want)
		}
	}
}

// TestWrongNames: each message says how to mend the key.
func TestWrongNames(t *testing.T) {
	for _, test := range []struct{ key, want string }{
		{`{namespac}/{name}`, `keyed: namespac is not a field of the elements of .spec.l; did you mean namespace?`},
		{`namespace/name`, `keyed: namespace/name is not a field of the elements of .spec.l; write the names of fields in braces: keyed: {key: "{namespace}/{name}"}`},
		{`nam`, `keyed: nam is not a field of the elements of .spec.l; did you mean name?`},
		{`{namespace}{name}`, `keyed: the key "{namespace}{name}": {name} follows another placeholder without a separator, so its beginning can't be found; put a separator between them`},
		{`{name}/{name}`, `keyed: the key "{name}/{name}": the placeholder {name} occurs twice`},
		{`{namespace}/{name`, `keyed: the key "{namespace}/{name": { without }; write a brace in the text twice`},
		{`[{namespace}/{name}]`, `keyed: the key "[{namespace}/{name}]": all placeholders are in brackets; at least one must be outside`},
		{`{{name}}`, `keyed: the key "{{name}}": it contains no field of the element; write the names of fields in braces, as in {namespace}/{name}`},
		{`{namespace}/{on}`, `keyed: the key on is of type boolean, but the keys of a map are strings; use a key of type string or integer`},
		{`{name}/{w}`, `keyed: w is part of the key in the map, but value also names it; name another field`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": spec(strings.Replace(backends, "p: {type: string}", `"on": {type: boolean}`, 1)), "v1": spec(counts)}),
			table(t, `[{spoke: .spec.l, hub: .spec.m, keyed: {key: "`+test.key+`", value: w}}]`))
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s\ngot  %v\nwant %s", test.key, err, test.want)
		}
	}
}
