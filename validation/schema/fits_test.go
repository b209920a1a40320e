package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	openapi "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// everything has every keyword that a type depends on.
const everything = `
type: object
properties:
  text: {type: string, pattern: "^a", maxLength: 3}
  date: {type: string, format: date}
  flag: {type: boolean}
  flagged: {type: boolean, format: date}
  dated: {type: object, format: date}
  dates: {type: array, format: date, items: {type: string, format: date}}
  whole: {type: integer, minimum: 3}
  small: {type: integer, format: int32}
  real: {type: number}
  either: {x-kubernetes-int-or-string: true}
  both: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
  nothing: {type: string, nullable: true}
  any: {x-kubernetes-preserve-unknown-fields: true}
  open: {type: object, x-kubernetes-preserve-unknown-fields: true}
  map: {type: object, additionalProperties: {type: integer}}
  embedded: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object}}}
  list: {type: array, items: {type: object, properties: {name: {type: string}, deep: {type: array, items: {type: number}}}}}
  keyed:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name, port, protocol]
    items:
      type: object
      required: [name, port]
      properties: {name: {type: string}, port: {type: integer}, protocol: {type: string, default: TCP}}
`

func propsOf(t testing.TB, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	props := new(apiextensionsv1.JSONSchemaProps)
	if err := yaml.UnmarshalStrict([]byte(text), props); err != nil {
		t.Fatal(err)
	}
	return props
}

// TestFits has one object for each rule.
func TestFits(t *testing.T) {
	s := parse(t, everything)
	for object, want := range map[string]bool{
		`{}`:                              true,
		`{"text":"bbbbbb","whole":1}`:     true, // what mutation may mend
		`{"text":1}`:                      false,
		`{"\u0074ext":1}`:                 false,
		`{"text":null}`:                   false,
		`{"nothing":null}`:                true,
		`{"whole":2.0,"real":2}`:          true,
		`{"whole":2.5}`:                   false,
		`{"whole":100000000000000000000}`: false,
		`{"either":"80","both":80}`:       true,
		`{"either":8.5}`:                  false,
		`{"both":true}`:                   false,
		`{"any":[1,{}],"open":{"a":1}}`:   true,
		`{"map":{"a":1,"b":"2"}}`:         false,
		`{"list":[{"deep":[1,2.5]},{}]}`:  true,
		`{"list":[{"deep":[1,"2"]}]}`:     false,
		`{"list":[null]}`:                 false,
		`{"list":{}}`:                     false,
		`[]`:                              false,
		`{"keyed":[{}]}`:                  true,
		` {"text" : 1`:                    false,
		`{"text":`:                        true, // nobody sends that
		``:                                true,
	} {
		if got := s.Fits([]byte(object)); got != want {
			t.Errorf("%s: got %v, want %v", object, got, want)
		}
	}
}

// TestMistypedIsWhatAPIServerSays asks its validator about objects in which values have
// taken the place of others.
func TestMistypedIsWhatAPIServerSays(t *testing.T) {
	schemas := map[string]*apiextensionsv1.JSONSchemaProps{"everything": propsOf(t, everything)}
	crds, err := filepath.Glob("../../examples/*/crd.yaml")
	if err != nil || len(crds) < 4 {
		t.Fatal(crds, err)
	}
	for _, file := range crds {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		crd := new(apiextensionsv1.CustomResourceDefinition)
		if err := yaml.Unmarshal(text, crd); err != nil {
			t.Fatal(err)
		}
		for _, v := range crd.Spec.Versions {
			schemas[crd.Name+" "+v.Name] = v.Schema.OpenAPIV3Schema
		}
	}
	seen := map[bool]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for name, props := range schemas {
		s := parse(t, marshalled(t, props))
		validator, err := s.openapi()
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			object, err := json.Marshal(made(random, props, 0))
			if err != nil {
				t.Fatal(err)
			}
			var read any
			if err := kjson.Unmarshal(object, &read); err != nil {
				t.Fatal(err)
			}
			messages := openapi.ValidateCustomResource(nil, read, validator)
			// A text of the wrong format is told in the same way, with itself as the value.
			want := slices.ContainsFunc(messages, func(e *field.Error) bool {
				return e.Type == field.ErrorTypeTypeInvalid && !slices.Contains(texts(), e.BadValue.(string))
			})
			if got := !s.Fits(object); got != want {
				t.Errorf("%s: %s: got %v, and the API server says %v", name, object, got, messages)
			}
			seen[want]++
		}
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("too few of one kind: %v", seen)
	}
}

func marshalled(t *testing.T, props *apiextensionsv1.JSONSchemaProps) string {
	t.Helper()
	text, err := json.Marshal(props)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func texts() []string { return []string{"a", "b", "2020-01-02"} }

// made is a value for a schema, of another type now and then.
func made(random *rand.Rand, s *apiextensionsv1.JSONSchemaProps, depth int) any {
	if s == nil || random.IntN(40) == 0 {
		return []any{nil, true, 3, 2.5, 7.0, -1.0, 3.0000000001, 1e20, int64(9007199254740993), "a", "2020-01-02", []any{}, []any{"a"}, map[string]any{}, map[string]any{"a": 1}}[random.IntN(15)]
	}
	switch {
	case s.XIntOrString:
		return []any{80, "http"}[random.IntN(2)]
	case s.Type == "object":
		value := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if property := s.Properties[name]; random.IntN(1+depth) == 0 {
				value[name] = made(random, &property, depth+1)
			}
		}
		if s.AdditionalProperties != nil {
			value["k"] = made(random, s.AdditionalProperties.Schema, depth+1)
		}
		return value
	case s.Type == "array":
		value := []any{}
		for range random.IntN(3) {
			value = append(value, made(random, s.Items.Schema, depth+1))
		}
		return value
	case s.Type == "string":
		return texts()[random.IntN(3)]
	case s.Type == "boolean":
		return true
	case s.Type == "integer":
		return random.IntN(9)
	case s.Type == "number":
		return 1.5
	}
	return nil
}

func BenchmarkFits(b *testing.B) {
	s := parse(b, everything)
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"name":"item-%d","port":%d,"protocol":"TCP"}`, i, i))
	}
	object := []byte(`{"text":"abc","map":{"a":1},"keyed":[` + strings.Join(items, ",") + `]}`)
	b.SetBytes(int64(len(object)))
	b.ReportAllocs()
	for b.Loop() {
		if !s.Fits(object) {
			b.Fatal("it does not fit")
		}
	}
}
