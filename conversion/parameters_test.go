package conversion_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// withParameters makes a converter of a table with parameters.
func withParameters(t *testing.T, parameters, rows string) (*conversion.Converter, error) {
	t.Helper()
	cw := table(t, rows)
	if err := yaml.UnmarshalStrict([]byte(parameters), &cw.Spec.Parameters); err != nil {
		t.Fatal(err)
	}
	return conversion.Compile(versions(t, map[string]string{"v1beta1": spec("a: {type: string}, b: {type: boolean}, c: {type: integer}"),
		"v1": spec("a: {type: string}, b: {type: string}, c: {type: integer}, class: {type: string}, extra: {type: object, properties: {x: {type: array, items: {type: integer}}}}")}), cw)
}

func TestParameters(t *testing.T) {
	c, err := withParameters(t, `{map: {k: [7]}, word: Enabled, other: a-b, num: 9007199254740993, class: standard}`, `[
{spoke: .spec.a, hub: .spec.a, values: {x: {$parameter: other}}},
{spoke: .spec.b, hub: .spec.b, boolean: {true: {$parameter: word}, false: Disabled}},
{spoke: .spec.c, hub: .spec.c, default: {spoke: {$parameter: num}}},
{hub: .spec.class, cel: {toHub: "parameters.class + '/' + string(size(parameters.map))"}},
{hub: .spec.extra, constant: {x: [1, {$parameter: num}]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	there := convert(t, c, thing("v1beta1", `"spec":{"a":"x","b":true}`), "v1")
	if want := thing("v1", `"spec":{"a":"a-b","b":"Enabled","c":9007199254740993,"class":"standard/1","extra":{"x":[1,9007199254740993]}}`); !sameJSON(t, strip(t, there), want) {
		t.Errorf("got %s, want %s", there, want)
	}
	for _, test := range []struct{ parameters, rows, want string }{
		{`{class: a}`, `[{hub: .spec.class, constant: {$parameter: clas}}]`, `constant: there is no parameter clas; did you mean class?`},
		{`{}`, `[{hub: .spec.class, constant: {$parameter: other}}]`, `constant: there is no parameter other; add it: spec.parameters: {other: ...}`},
		{`{class: a}`, `[{hub: .spec.class, constant: {$parameter: class, more: 1}}]`, `constant: {$parameter: NAME} must have no other fields; write only the name of the parameter`},
		{`{class: 5}`, `[{hub: .spec.class, constant: {$parameter: class}}]`, `constant 5 is not of type string; put the value in quotes`},
		{`{class: a}`, `[]`, `no row uses the parameter class; remove it, or use it: {$parameter: class} for a value, or parameters.class in an expression`},
		{`{a-b: a}`, `[]`, `"a-b" is not a valid name for a parameter; use a letter, and then letters and digits`},
		{`{class: a}`, `[{hub: .spec.class, cel: {toHub: parameters.clas}}]`, `cel: toHub: at character 11: there is no parameter clas; did you mean class?`},
		{`{}`, `[{hub: .spec.class, cel: {toHub: parameters.class}}]`, `cel: toHub: at character 11: there is no parameter class; add it: spec.parameters: {class: ...}`},
		{`{class: a}`, `[{hub: .spec.class, cel: {toHub: "parameters.?zone.orValue(parameters.class)"}}]`, `cel: toHub: at character 11: there is no parameter zone; add it: spec.parameters: {zone: ...}, or use one of class`},
		{`{class: 5}`, `[{hub: .spec.class, cel: {toHub: parameters.class}}]`, `cel: toHub: it returns an integer, but the field is of type string; convert it with string()`},
	} {
		_, err := withParameters(t, test.parameters, strings.Replace(test.rows, "[", "[{spoke: .spec.b}, {hub: .spec.b},", 1))
		if err == nil {
			t.Errorf("%s %s compiles", test.parameters, test.rows)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if _, got, ok := strings.Cut(first, "): "); ok {
			first = got
		}
		if first = strings.TrimPrefix(first, "crosswalk things.example.com: "); first != test.want {
			t.Errorf("%s %s: got\n%s\nwant\n%s", test.parameters, test.rows, first, test.want)
		}
	}
}
