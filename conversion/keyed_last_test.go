package conversion_test

import "testing"

// TestKeyedLast shows of the elements with one key the last, and keeps the others where
// they stood, whatever is done to the map.
func TestKeyedLast(t *testing.T) {
	const args = "args: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, note: {type: string}}}}"
	c := compiled(t, spec("args: {type: object, additionalProperties: {type: string}}"), spec(args),
		`[{spoke: .spec.args, hub: .spec.args, keyed: {key: name, value: value, doubled: last}}]`)
	list := `"spec":{"args":[{"name":"z","value":"1"},{"name":"b","value":"2","note":"n"},{"name":"z","value":"3"},{"name":"z"},{"value":"x"}]}`
	old := convert(t, c, thing("v1", list), "v1beta1")
	if got, want := strip(t, old), thing("v1beta1", `"spec":{"args":{"b":"2","z":"3"}}`); !sameJSON(t, got, want) {
		t.Fatalf("%s becomes\n%s, want\n%s", list, got, want)
	}
	for _, test := range []struct{ edit, to, want string }{
		{"", "", list},
		{`"b":"2"`, `"b":"4"`, `"spec":{"args":[{"name":"z","value":"1"},{"name":"b","value":"4","note":"n"},{"name":"z","value":"3"},{"name":"z"},{"value":"x"}]}`},
		{`"z":"3"`, `"z":"4"`, `"spec":{"args":[{"name":"z","value":"1"},{"name":"b","value":"2","note":"n"},{"name":"z","value":"4"},{"name":"z"},{"value":"x"}]}`},
		{`"z":"3"`, `"y":"3"`, `"spec":{"args":[{"name":"b","value":"2","note":"n"},{"name":"z"},{"value":"x"},{"name":"y","value":"3"}]}`},
		{`"z":"3"`, `"z":"3","a":"5"`, `"spec":{"args":[{"name":"z","value":"1"},{"name":"b","value":"2","note":"n"},{"name":"z","value":"3"},{"name":"z"},{"value":"x"},{"name":"a","value":"5"}]}`},
	} {
		now := old
		if test.edit != "" {
			now = edited(t, old, test.edit, test.to)
		}
		back := convert(t, c, now, "v1")
		if want := thing("v1", test.want); !sameJSON(t, back, want) {
			t.Errorf("%s for %s comes back as\n%s, want\n%s", test.to, test.edit, back, want)
		}
		if again := convert(t, c, back, "v1beta1"); !sameJSON(t, strip(t, again), strip(t, now)) {
			t.Errorf("%s for %s is shown as\n%s, want\n%s", test.to, test.edit, strip(t, again), strip(t, now))
		}
	}
}
