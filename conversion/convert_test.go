package conversion_test

import (
	"testing"
)

func TestConvertLeavesItsInputAlone(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, p: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	source := thing("v1beta1", `"spec":{"a":"1","p":"2"}`)
	object := []byte(source)
	out, err := c.Convert(nil, object, "v1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = 'x'
	}
	if string(object) != source {
		t.Errorf("the source is now %s", object)
	}
}
