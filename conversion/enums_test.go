package conversion_test

import (
	"slices"
	"strings"
	"testing"
)

// What passes to a place whose enum has not got it is warned of, with the row that
// mends it: with that row, nothing is left to warn of.
func TestNarrowerEnums(t *testing.T) {
	const wide, narrow = "{type: string, enum: [a, b, c]}", "{type: string, enum: [a, b]}"
	list := func(of string) string { return "{type: array, items: {type: object, properties: {s: " + of + "}}}" }
	said := func(from, values, at, to, enum, there string) string {
		return from + " allows " + values + " in " + at + ", and " + to + " only " + enum + " in " + there +
			": other values pass through, but no object with them can be written in " + to + "; tie the values, and keep others: "
	}
	for name, test := range map[string]struct {
		beta, v1, rows string
		want, mended   string
	}{
		"the same path": {spec("s: " + wide), spec("s: " + narrow), `[]`,
			"v1beta1: " + said("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}]`},
		"any text": {spec("s: " + narrow), spec("s: {type: string}"), `[]`,
			"v1beta1: " + said("v1", "any value", ".spec.s", "v1beta1", `"a", "b"`, ".spec.s") + "{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.s, values: {a: a, b: b}, closed: true}]`},
		"a move": {spec("s: " + wide), spec("x: " + narrow), `[{spoke: .spec.s, hub: .spec.x}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.x): " + said("v1beta1", `"c"`, ".spec.s", "v1", `"a", "b"`, ".spec.x") + "{spoke: .spec.s, hub: .spec.x, values: {a: a, b: b}, closed: true}",
			`[{spoke: .spec.s, hub: .spec.x, values: {a: a, b: b}, closed: true}]`},
		"in a list": {spec("l: " + list(wide)), spec("l: " + list(narrow)), `[]`,
			"v1beta1: " + said("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.l.s") + "{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"in elements that a row ties": {spec("l: " + list(wide)), spec("m: " + list(narrow)), `[{spoke: .spec.l, hub: .spec.m, each: {}}]`,
			"v1beta1: " + said("v1beta1", `"c"`, ".spec.l.s", "v1", `"a", "b"`, ".spec.m.s") + "{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true} for the elements of .spec.l",
			`[{spoke: .spec.l, hub: .spec.m, each: {rows: [{spoke: .s, hub: .s, values: {a: a, b: b}, closed: true}]}}]`},
		"words of YAML": {spec("s: {type: string}"), spec("s: {type: string, enum: ['on', '1', a b, '']}"), `[{spoke: .spec.s, hub: .spec.s}]`,
			"v1beta1 row 1 (.spec.s <-> .spec.s): " + said("v1beta1", "any value", ".spec.s", "v1", `"on", "1", "a b", ""`, ".spec.s") + `{spoke: .spec.s, hub: .spec.s, values: {"on": "on", "1": "1", "a b": "a b", "": ""}, closed: true}`, ""},
		"alike":             {spec("s: " + narrow), spec("s: " + narrow), `[]`, "", ""},
		"a row for each":    {spec("s: " + wide), spec("s: " + narrow), `[{spoke: .spec.s}, {hub: .spec.s}]`, "", ""},
		"null is no value":  {spec("s: {type: string, nullable: true, enum: [a, null]}"), spec("s: {type: string, enum: [a]}"), `[]`, "", ""},
		"without a version": {spec("s: " + wide), spec("x: " + narrow), `[]`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range compiled(t, test.beta, test.v1, test.rows).Warnings() {
				got = append(got, strings.TrimPrefix(w.Error(), "crosswalk things.example.com: "))
			}
			if want := slices.DeleteFunc([]string{test.want}, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), test.want)
			}
			if test.mended == "" {
				return
			}
			if left := compiled(t, test.beta, test.v1, test.mended).Warnings(); len(left) > 0 {
				t.Errorf("with the row there is still %v", left)
			}
		})
	}
}
