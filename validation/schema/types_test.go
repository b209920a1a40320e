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

func typesIn(t testing.TB, props *apiextensionsv1.JSONSchemaProps) *Types {
	t.Helper()
	types, err := TypesOf(&apiextensionsv1.CustomResourceDefinitionVersion{Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props}})
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// TestFit has one object for each rule.
func TestFit(t *testing.T) {
	types := typesIn(t, propsOf(t, everything))
	for object, want := range map[string]Fit{
		`{}`:                                  Fits,
		`{"text":"bbbbbb","whole":1}`:         Fits, // what mutation may mend
		`{"text":1}`:                          Mistyped,
		`{"\u0074ext":1}`:                     Mistyped,
		`{"text":null}`:                       Mistyped,
		`{"nothing":null}`:                    Fits,
		`{"whole":2.0,"real":2}`:              Fits,
		`{"whole":2.5}`:                       Mistyped,
		`{"whole":100000000000000000000}`:     Mistyped,
		`{"either":"80","both":80}`:           Fits,
		`{"either":8.5}`:                      Mistyped,
		`{"both":true}`:                       Mistyped,
		`{"any":[1,{}],"open":{"a":1}}`:       Fits,
		`{"map":{"a":1,"b":"2"}}`:             Mistyped,
		`{"list":[{"deep":[1,2.5]},{}]}`:      Fits,
		`{"list":[{"deep":[1,"2"]}]}`:         Mistyped,
		`{"list":[null]}`:                     Mistyped,
		`{"list":{}}`:                         Mistyped,
		`[]`:                                  Mistyped,
		`{"keyed":[{"name":"a","port":1}]}`:   Fits,
		`{"keyed":[{"name":"a"}]}`:            Unkeyed,
		`{"keyed":[{"name":"a"}],"flag":"x"}`: Mistyped,
		`{"flag":"x","keyed":[{"name":"a"}]}`: Mistyped,
		` {"text" : 1`:                        Mistyped,
		`{"text":`:                            Fits, // nobody sends that
		``:                                    Fits,
	} {
		if got := types.Fit([]byte(object)); got != want {
			t.Errorf("%s: got %d, want %d", object, got, want)
		}
	}
	if got := typesIn(t, nil).Fit([]byte(`{"a":1}`)); got != Fits {
		t.Errorf("without a schema: got %d", got)
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
		types, full := typesIn(t, props), parse(t, marshalled(t, props))
		for range 300 {
			object, err := json.Marshal(made(random, props, 0))
			if err != nil {
				t.Fatal(err)
			}
			var read any
			if err := kjson.Unmarshal(object, &read); err != nil {
				t.Fatal(err)
			}
			said := openapi.ValidateCustomResource(nil, read, full.openapi)
			// A text of the wrong format is told in the same way, with itself as the value.
			want := slices.ContainsFunc(said, func(e *field.Error) bool {
				return e.Type == field.ErrorTypeTypeInvalid && !slices.Contains(texts(), e.BadValue.(string))
			})
			if got := types.Fit(object) == Mistyped; got != want {
				t.Errorf("%s: %s: got %v, and the API server says %v", name, object, got, said)
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
		return []any{nil, true, 3, 2.5, 7.0, "a", "2020-01-02", []any{}, []any{"a"}, map[string]any{}, map[string]any{"a": 1}}[random.IntN(11)]
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

func BenchmarkFit(b *testing.B) {
	types := typesIn(b, propsOf(b, everything))
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"name":"item-%d","port":%d,"protocol":"TCP"}`, i, i))
	}
	object := []byte(`{"text":"abc","map":{"a":1},"keyed":[` + strings.Join(items, ",") + `]}`)
	b.SetBytes(int64(len(object)))
	b.ReportAllocs()
	for b.Loop() {
		if types.Fit(object) != Fits {
			b.Fatal("it does not fit")
		}
	}
}
