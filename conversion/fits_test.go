package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestMisfitsNameTheMapping holds what an author is told who ties two types, or has
// them at one path, without saying how one becomes the other; and that the mapping
// which is named there compiles.
func TestMisfitsNameTheMapping(t *testing.T) {
	const text, number, truth, object = "{type: string}", "{type: integer}", "{type: boolean}", "{type: object, properties: {x: {type: string}}}"
	const texts, objects = "{type: array, items: {type: string}}", "{type: array, items: {type: object, properties: {name: {type: string}, x: {type: string}}}}"
	const dict = "{type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}"
	for _, test := range []struct{ spoke, hub, how, mapping string }{
		{objects, dict, "keyed: {key: name}", "keyed: {key: name}"},
		{"{type: array, items: {type: object, properties: {key: {type: string}, value: {type: string}}}}", "{type: object, additionalProperties: {type: string}}", "keyed: {key: key, value: value}", "keyed: {key: key, value: value}"},
		{"{type: object, additionalProperties: {type: integer}}", "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [zone], items: {type: object, required: [zone], properties: {count: {type: integer}, zone: {type: string}}}}", "keyed: {key: zone, value: count}", "keyed: {key: zone, value: count}"},
		{text, texts, `join: {separator: ","} or single: {}`, `join: {separator: ","}`},
		{objects, object, "single: {}", "single: {}"},
		{number, "{type: array, items: {type: integer}}", "single: {}", "single: {}"},
		{text, object, "text: yaml", "text: yaml"},
		{truth, object, "boolean: {presence: hub}", "boolean: {presence: hub}"},
		{object, truth, "boolean: {presence: spoke}", "boolean: {presence: spoke}"},
		{truth, text, "boolean: {true: Enabled, false: Disabled} or scalar: {}", "boolean: {true: Enabled, false: Disabled}"},
		{number, text, "scalar: {}", "scalar: {}"},
		{truth, number, "", ""},
	} {
		crd := versions(t, map[string]string{"v1beta1": spec("a: " + test.spoke), "v1": spec("a: " + test.hub)})
		for _, rows := range []string{`[]`, `[{spoke: .spec.a, hub: .spec.a}]`} {
			_, err := conversion.Compile(crd, table(t, rows))
			want := "; add a mapping that converts one into the other, for example " + test.how + "; or map "
			if test.how == "" {
				want = "; map "
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s and %s, %s: got %v", test.spoke, test.hub, rows, err)
			}
		}
		if test.mapping == "" {
			continue
		}
		if _, err := conversion.Compile(crd, table(t, "[{spoke: .spec.a, hub: .spec.a, "+test.mapping+"}]")); err != nil {
			t.Error(err)
		}
	}
}
