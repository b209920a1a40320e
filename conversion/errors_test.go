package conversion_test

import (
	"testing"
)

func TestErrors(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("a: {type: string}"), `[]`)
	for _, test := range []struct{ object, to, want string }{
		{thing("v1", `"metadata":{"name":"n","namespace":"ns"},"spec":{"a":1,"a":2}`), "v1beta1",
			`Thing ns/n: v1 to v1beta1: at /spec (byte 101): the member "a" occurs twice in one object`},
		{thing("v2", `"metadata":{"name":"n"}`), "v1", `Thing n: to v1: its apiVersion is "example.com/v2", but the table has only v1beta1, v1 of the group example.com`},
		{`{"apiVersion":"example.com/v1","kind":"Other"}`, "v1", `Thing: to v1: its kind is "Other", but the table is for Thing`},
		{thing("v1", ""), "v3", `Thing: to v3: the requested version is "v3", but the table has only v1beta1, v1`},
		{thing("v1", `"metadata":"x"`), "v1beta1", `Thing: v1 to v1beta1: at /metadata (byte 57): metadata is not an object`},
		{`[]`, "v1", `Thing: to v1: at byte 0: the object is not a JSON object`},
		{``, "v1", `Thing: to v1: at byte 0: the object is not a JSON object`},
		{thing("v1", `"spec":{`), "v1", `Thing: v1 to v1: at /spec (byte 55): the JSON ends too early; expected a comma or }`},
	} {
		out, err := c.Convert([]byte("before"), []byte(test.object), test.to)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s\ngot  %v\nwant %s", test.object, err, test.want)
		}
		if string(out) != "before" {
			t.Errorf("%s\nwrote %q", test.object, out)
		}
	}
}
