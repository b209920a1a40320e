package config

import "testing"

func TestObject(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"a.b","uid":"1","managedFields":[{"manager":"kubectl","operation":"Update","fieldsV1":{"f:spec":{}}}]},"spec":{"hub":"v1"},
		 "status":{"conditions":[{"type":"Ready","status":"True","reason":"Ready","message":"","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`, ""},
		{`{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"a.b"},"spec":{"hub":"v1","versions":[{"name":"v0","rows":[{"spoke":".a","hub":".b","each":{"rows":[{"spok":".a"}]}}]}]}}`,
			"crosswalk a.b: .spec.versions[0].rows[0].each.rows[0].spok: unknown field; did you mean spoke?"},
		{`{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"a.b"},"spec":{"hub":"v1","versions":[{"name":"v0","rows":[{"cel":{"toHub":"self.a.map(x","x + 1)":null}}]}]}}`,
			"crosswalk a.b: .spec.versions[0].rows[0].cel.x + 1): unknown field; known are toHub, toSpoke; if x + 1) belongs to the value before it, put that whole value in double quotes: a comma ends a value within { } or [ ]"},
		{`{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"a.b"},"spec":{"hub":"v1","versions":[{"name":"v0","rows":[{"spoke":".a","drop":""}]}]}}`,
			"crosswalk a.b: .spec.versions[0].rows[0].drop is empty; write it out, or remove it"},
		{`[]`, "a Crosswalk must be an object"},
	} {
		_, err := Object([]byte(test.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}
