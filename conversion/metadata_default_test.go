package conversion_test

import (
	"testing"
)

// TestDefaultOfAnnotation takes an absent annotation for what the row says if the object
// that the other place is in is there. What other annotations there are says nothing:
// conversion itself adds some.
func TestDefaultOfAnnotation(t *testing.T) {
	c := compiled(t, spec("lease: {type: boolean, default: false}, old: {type: string}")+"\nstatus: {type: object, properties: {count: {type: integer}}}",
		spec("title: {type: string}")+"\nstatus: {type: object, properties: {total: {type: integer}}}",
		`[{spoke: .spec.lease, hub: ".metadata.annotations['example.com/lease']", scalar: {}, default: {hub: "false"}, crosses: true}]`)
	for _, test := range []struct{ v1, want string }{
		{`"metadata":{"name":"a"}`, `"metadata":{"name":"a"}`},
		{`"metadata":{"annotations":{"other":"x"}}`, `"metadata":{"annotations":{"other":"x"}}`},
		{`"metadata":{"annotations":{"other":"x"}},"spec":{}`, `"metadata":{"annotations":{"other":"x"}},"spec":{"lease":false}`},
		{`"spec":{}`, `"spec":{"lease":false}`},
		{`"metadata":{"annotations":{"example.com/lease":"true"}}`, `"spec":{"lease":true}`},
	} {
		if got := strip(t, convert(t, c, thing("v1", test.v1), "v1beta1")); !sameJSON(t, got, thing("v1beta1", test.want)) {
			t.Errorf("%s became %s", test.v1, got)
		}
	}
	for _, members := range []string{`"status":{"count":1}`, `"spec":{"lease":false,"old":"x"}`, `"spec":{"lease":true},"status":{"count":1}`} {
		old := thing("v1beta1", members)
		if back := convert(t, c, convert(t, c, old, "v1"), "v1beta1"); !sameJSON(t, strip(t, back), old) {
			t.Errorf("%s came back as %s", members, back)
		}
	}
}
