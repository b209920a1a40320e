package conversion_test

import (
	"strings"
	"testing"
)

// An element of which the expression of the way back computes nothing has no
// counterpart: with one it would be lost, since converting back makes no element that
// what is kept could be given to.
func TestExpressionThatDoesNotLeadBack(t *testing.T) {
	const texts = "additionalProperties: {type: string}"
	c := compiled(t, spec("m: {type: object, "+texts+"}"), spec("p: {type: object, "+texts+"}"),
		`[{spoke: .spec.m, hub: .spec.p, each: {rows: [{spoke: ., hub: ., cel: {toHub: "self + '!'", toSpoke: "self.split('?')[1] == '!' ? optional.none() : optional.of(self.replace('!', ''))"}}]}}]`)
	for value, test := range map[string]struct{ now, needs string }{
		`"x?y"`: {`{"a":"x?y!"}`, ""},
		`"x"`:   {`{}`, "a value that the expression can convert, and convert back; error: index out of bounds: 1"},
		`"x?"`:  {`{}`, "a value that the expression can convert, and convert back; error: the expression returns no value"},
		`5`:     {`{}`, "a value that the expression can convert; error: "},
	} {
		old := thing("v1beta1", `"spec":{"m":{"a":`+value+`}}`)
		now := convert(t, c, old, "v1")
		if got, want := strip(t, now), thing("v1", `"spec":{"p":`+test.now+`}`); !sameJSON(t, got, want) {
			t.Errorf("%s becomes %s, want %s", value, got, want)
		}
		if back := convert(t, c, now, "v1beta1"); back != old {
			t.Errorf("%s comes back as %s", value, back)
		}
		if lines := explained(t, c, old, "v1"); !strings.Contains(lines, test.needs) {
			t.Errorf("%s: got\n%s\nwant %s", value, lines, test.needs)
		}
	}
}
