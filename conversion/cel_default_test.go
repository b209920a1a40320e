package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// A row with expressions has no default. What the error says instead compiles, and
// means the same.
func TestCELDefault(t *testing.T) {
	beta, v1 := spec("retries: {type: integer}"), spec("limit: {type: integer}")
	crd := versions(t, map[string]string{"v1beta1": beta, "v1": v1})
	_, err := conversion.Compile(crd, table(t, `[{spoke: .spec.retries, hub: .spec.limit, default: {spoke: 3}, cel: {toHub: "self.spec.retries + 1", toSpoke: "self.spec.limit - 1"}}]`))
	const want = `crosswalk things.example.com: v1beta1 row 1 (.spec.retries <-> .spec.limit): cel: the row has a default, but the expressions themselves must handle absent fields; ` +
		`remove default, let toHub read self.?spec.?retries.orValue(3), and write toSpoke: (self.spec.limit - 1) == 3 ? optional.none() : optional.of(self.spec.limit - 1)`
	if err == nil || err.Error() != want {
		t.Fatalf("got\n%v\nwant\n%s", err, want)
	}
	c := compiled(t, beta, v1, `[{spoke: .spec.retries, hub: .spec.limit, cel: {toHub: "self.?spec.?retries.orValue(3) + 1", toSpoke: "(self.spec.limit - 1) == 3 ? optional.none() : optional.of(self.spec.limit - 1)"}}]`)
	for _, test := range []struct{ old, now string }{{`{}`, `{"limit":4}`}, {`{"retries":7}`, `{"limit":8}`}} {
		there := convert(t, c, thing("v1beta1", `"spec":`+test.old), "v1")
		if !sameJSON(t, strip(t, there), thing("v1", `"spec":`+test.now)) {
			t.Errorf("%s becomes %s, want %s", test.old, there, test.now)
		}
		if back := convert(t, c, thing("v1", `"spec":`+test.now), "v1beta1"); !sameJSON(t, strip(t, back), thing("v1beta1", `"spec":`+test.old)) {
			t.Errorf("%s becomes %s, want %s", test.now, back, test.old)
		}
	}
	for _, test := range []struct{ beta, v1, row, want string }{
		{spec("a-b: {type: string}"), spec("b: {type: string}"), `{spoke: .spec.a-b, hub: .spec.b, default: {hub: x}, cel: {toHub: "self.spec.a__dash__b", toSpoke: "self.spec.b"}}`,
			`let toSpoke read self.?spec.?b.orValue("x"), and write toHub: (self.spec.a__dash__b) == "x" ? optional.none() : optional.of(self.spec.a__dash__b)`},
		{spec("a: {type: string}"), spec("b: {type: string}, c: {type: string}"), `{spoke: .spec.a, hub: {b: .spec.b, c: .spec.c}, default: {hub: x}, cel: {toHub: {b: self.spec.a, c: self.spec.a}, toSpoke: "self.spec.b"}}`,
			`remove default, and read the field as in self.?spec.?name.orValue('none')`},
		{spec("x: {type: string}"), spec("b: {type: string}"), `{spoke: ".metadata.labels['example.com/a-b']", hub: .spec.b, crosses: true, default: {spoke: x}, cel: {toHub: self.spec.b, toSpoke: self.spec.b}}`,
			`let toHub read self.?metadata.?labels[?"example.com/a-b"].orValue("x")`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": test.beta, "v1": test.v1}), table(t, `[`+test.row+`]`))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got\n%v\nwant\n%s", test.row, err, test.want)
		}
	}
}
