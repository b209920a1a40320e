package verify

import (
	"testing"

	"sigs.k8s.io/yaml"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// What only A has of an element is looked for behind every mapping that ties elements,
// in either direction, and at any depth.
func TestFollowing(t *testing.T) {
	t.Parallel()
	const (
		object = `{type: object, properties: {name: {type: string}, x: {type: integer}, mine: {type: string}}}`
		other  = `{type: object, properties: {name: {type: string}, x: {type: integer}}}`
	)
	list := func(of string) string { return `{type: array, items: ` + of + `}` }
	dict := func(of string) string { return `{type: object, additionalProperties: ` + of + `}` }
	for name, c := range map[string]struct {
		row, mine, theirs string // theirs is the hub's
		before, view      string
		edited, after     string
		// lost is after with something lost.
		lost string
	}{
		"each list": {
			`{spoke: .a, hub: .b, each: {}}`, list(object), list(other),
			`[{x: 1, mine: p}, {x: 2}]`, `[{x: 1}, {x: 2}]`, `[{x: 2}, {x: 1}]`, `[{x: 2}, {x: 1, mine: p}]`, `[{x: 2, mine: p}, {x: 1}]`,
		},
		"each map": {
			`{spoke: .a, hub: .b, each: {}}`, dict(object), dict(other),
			`{k: {x: 1, mine: p}}`, `{k: {x: 1}}`, `{k: {x: 3}, l: {x: 1}}`, `{k: {x: 3, mine: p}, l: {x: 1}}`, `{k: {x: 3}, l: {x: 1, mine: p}}`,
		},
		"keyed, with the list": {
			`{spoke: .a, hub: .b, keyed: {key: name}}`, list(object), dict(other),
			`[{name: k, x: 1, mine: p}]`, `{k: {x: 1}}`, `{j: {x: 1}, k: {x: 3}}`, `[{name: k, x: 3, mine: p}, {name: j, x: 1}]`, `[{name: j, x: 1, mine: p}, {name: k, x: 3}]`,
		},
		"keyed, with the map": {
			`{spoke: .a, hub: .b, keyed: {key: name}}`, dict(object), list(other),
			`{k: {x: 1, mine: p}}`, `[{name: k, x: 1}]`, `[{name: j, x: 1}, {name: k, x: 1}]`, `{j: {x: 1}, k: {x: 1, mine: p}}`, `{j: {x: 1, mine: p}, k: {x: 1}}`,
		},
		"single": {
			`{spoke: .a, hub: .b, single: {}}`, object, list(other),
			`{x: 1, mine: p}`, `[{x: 1}]`, `[{x: 1}]`, `{x: 1, mine: p}`, `{x: 1}`,
		},
		"wrap": {
			`{spoke: .a, hub: .b, wrap: name}`, list(object), list(`{type: string}`),
			`[{name: k, mine: p}, {name: l}]`, `[k, l]`, `[l, j, k]`, `[{name: l}, {name: j}, {name: k, mine: p}]`, `[{name: l}, {name: j, mine: p}, {name: k}]`,
		},
		"a list with parts": {
			`{spoke: .a, hub: {k: .b, l: .c}, where: [{place: k, match: {.name: k}}, {place: l, has: [.x]}]}`, list(object), list(other),
			`[{name: k, x: 1}, {x: 1, mine: p}, {x: 2}]`, `[{x: 1}, {x: 2}]`, `[{x: 2}, {x: 1}]`,
			`[{x: 2}, {name: k, x: 1}, {x: 1, mine: p}]`, `[{x: 2, mine: p}, {name: k, x: 1}, {x: 1}]`,
		},
		"a part": {
			`{spoke: {k: .e, l: .a}, hub: .b, where: [{place: k, match: {.name: [j, k]}}, {place: l, has: [.x]}]}`, list(object), list(other),
			`[{x: 1, mine: p}, {x: 2}]`, `[{x: 1}, {x: 2}, {x: 1, name: k}]`, `[{name: k, x: 2}, {x: 2}, {x: 1}]`,
			`[{x: 2}, {x: 1, mine: p}]`, `[{x: 2, mine: p}, {x: 1}]`,
		},
		"entries": {
			`{spoke: .a, hub: {k: .b, l: .c}, entries: {name: name, value: x}}`, list(object), `{type: integer}`,
			`[{name: k, x: 1, mine: p}]`, `1`, `1`, `[{name: l, x: 1}, {name: k, x: 1, mine: p}]`, `[{name: l, x: 1, mine: p}, {name: k, x: 1}]`,
		},
		"a table": {
			`{spoke: .a, hub: .b, table: t}`, `{type: object, properties: {in: ` + list(object) + `}}`, `{type: object, properties: {of: ` + list(other) + `}}`,
			`{in: [{x: 1, mine: p}, {x: 2}]}`, `{of: [{x: 1}, {x: 2}]}`, `{of: [{x: 2}, {x: 1}]}`, `{in: [{x: 2}, {x: 1, mine: p}]}`, `{in: [{x: 2, mine: p}, {x: 1}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := func(text string) *tree.Value { return tree.NewObject(tree.Member{Name: "a", Value: value(t, text)}) }
			view := func(text string) *tree.Value {
				place := "b"
				if name == "a list with parts" {
					place = "c"
				}
				return tree.NewObject(tree.Member{Name: place, Value: value(t, text)})
			}
			var row v1alpha1.Row
			if err := yaml.UnmarshalStrict([]byte(c.row), &row); err != nil {
				t.Fatal(err)
			}
			inTable := v1alpha1.Row{Spoke: &v1alpha1.Place{Path: ".in"}, Hub: &v1alpha1.Place{Path: ".of"}, Each: &v1alpha1.Each{}}
			of := schemasOf(t, `{type: object, properties: {a: `+c.mine+`}}`, `{type: object, properties: {b: `+c.theirs+`, c: `+c.theirs+`}}`)
			follow := func(after string) []tree.Difference {
				f := follower{spoke: true, tables: map[string][]v1alpha1.Row{"t": {inTable}}}
				f.scope(nil, []v1alpha1.Row{row}, of, states{root(c.before), view(c.view), view(c.edited), root(after), view(c.edited)})
				return f.diff
			}
			if diff := follow(c.after); diff != nil {
				t.Errorf("what is right differs: %v", diff)
			}
			if follow(c.lost) == nil {
				t.Error("nothing says that something is lost")
			}
		})
	}
}

func value(t *testing.T, text string) *tree.Value {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := tree.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func schemasOf(t *testing.T, mine, theirs string) schemas {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	for name, text := range map[string]string{"mine": mine, "theirs": theirs} {
		props := &apiextensionsv1.JSONSchemaProps{}
		if err := yaml.UnmarshalStrict([]byte(text), props); err != nil {
			t.Fatal(err)
		}
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: name, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props}})
	}
	all, err := structural(crd)
	if err != nil {
		t.Fatal(err)
	}
	return schemas{all["mine"], all["theirs"]}
}
