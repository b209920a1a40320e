package schema

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

func parse(t testing.TB, text string) *Schema {
	t.Helper()
	props := new(apiextensionsv1.JSONSchemaProps)
	if err := yaml.UnmarshalStrict([]byte(text), props); err != nil {
		t.Fatal(err)
	}
	s, err := New(props)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCheck finds what each keyword forbids, and transitions.
func TestCheck(t *testing.T) {
	s := parse(t, `
type: object
properties:
  spec:
    type: object
    required: [name]
    x-kubernetes-validations:
    - {rule: "self.size <= self.most", message: size is at most most}
    properties:
      name: {type: string, pattern: "^[a-z]+$", x-kubernetes-validations: [{rule: self == oldSelf, message: name is immutable}]}
      mode: {type: string, enum: [A, B], default: A}
      size: {type: integer, default: 0}
      most: {type: integer, default: 10}
      tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
`)
	for _, test := range []struct{ object, old, want string }{
		{object: `{"spec":{"name":"a","unknown":1,"mode":null}}`},
		{object: `{"spec":{}}`, want: "spec.name: Required value"},
		{object: `{"spec":{"name":"A"}}`, want: "spec.name: Invalid value"},
		{object: `{"spec":{"name":"a","mode":"C"}}`, want: "spec.mode: Unsupported value"},
		{object: `{"spec":{"name":"a","size":11}}`, want: "size is at most most"},
		{object: `{"spec":{"name":"a","tags":["x","x"]}}`, want: "spec.tags[1]: Duplicate value"},
		{object: `{"spec":{"name":"b"}}`, old: `{"spec":{"name":"a"}}`, want: "name is immutable"},
		{object: `{"spec":{"name":"a","size":9007199254740993,"most":9007199254740992}}`, want: "size is at most most"},
	} {
		var old []byte
		if test.old != "" {
			old = []byte(test.old)
		}
		errs, err := s.Check(t.Context(), []byte(test.object), old)
		if err != nil {
			t.Fatal(err)
		}
		if got := errs.ToAggregate(); test.want == "" && got != nil || test.want != "" && (len(errs) != 1 || !strings.Contains(got.Error(), test.want)) {
			t.Errorf("%s over %s: got %v, want %s", test.object, test.old, got, test.want)
		}
	}
	if _, err := s.Check(t.Context(), []byte(`[]`), nil); err == nil {
		t.Error("a list is an object")
	}
}
