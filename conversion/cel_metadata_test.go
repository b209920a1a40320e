package conversion_test

import "testing"

// TestCELMetadata reads what an object may lack of its metadata: the metadata itself,
// and the maps of labels and annotations, count as there.
func TestCELMetadata(t *testing.T) {
	for expression, want := range map[string]string{
		"self.metadata.?labels[?'tier'].orValue('web')":       "web",
		"self.metadata.labels[?'tier'].orValue('web')":        "web",
		"has(self.metadata.annotations.tier) ? 'yes' : 'no'":  "no",
		"self.metadata.?namespace.orValue('none')":            "none",
		"has(self.metadata.namespace) ? 'yes' : 'no'":         "no",
		"self.?metadata.?labels[?'tier'].orValue('web')":      "web",
		"self.?metadata.?generateName.orValue('none') + 'ly'": "nonely",
	} {
		for _, metadata := range []string{`"metadata":{"name":"x"},`, `"metadata":{"labels":{"a":"b"}},`, `"metadata":{},`, ``} {
			c := compiled(t, spec("a: {type: string}"), spec("a: {type: string}, b: {type: string}"),
				`[{hub: .spec.b, crosses: true, cel: {toHub: "`+expression+`"}}]`)
			object := thing("v1beta1", metadata+`"spec":{"a":"x"}`)
			if got, want := convert(t, c, object, "v1"), thing("v1", metadata+`"spec":{"a":"x","b":"`+want+`"}`); !sameJSON(t, strip(t, got), want) {
				t.Errorf("%s: %s becomes\n%s, want\n%s", expression, object, got, want)
			}
		}
	}
}
