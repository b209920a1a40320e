package verify

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// mappingTable is a small table in which little but one mapping is: a fuzzer comes
// sooner to what is odd about a mapping where nothing else is in its way.
type mappingTable struct {
	Name string
	// Spoke and Hub are the properties of spec, and Status those of status.
	Spoke, Hub properties
	Status     struct{ Spoke, Hub properties }
	Rows       []v1alpha1.Row
	Tables     map[string][]v1alpha1.Row
	Parameters map[string]v1alpha1.Value
	// NotNaive says that the naive converter does not know what the rows say.
	NotNaive bool
	// Objects are what to start with, without apiVersion and kind.
	Objects []struct{ Spoke, Hub json.RawMessage }
}

type properties map[string]apiextensionsv1.JSONSchemaProps

func mappingTables(t testing.TB) []mappingTable {
	t.Helper()
	data, err := os.ReadFile("testdata/mappings.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []mappingTable
	if err := yaml.UnmarshalStrict(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// subject compiles the table for a kind with the versions v1 and v2, its hub.
func (m *mappingTable) subject(t testing.TB) *Subject {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name, crd.Spec.Group = "mappings.example.com", "example.com"
	crd.Spec.Names.Kind, crd.Spec.Names.Plural = "Mapping", "mappings"
	version := func(name string, spec, status properties) {
		root := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties{
			"spec": {Type: "object", Properties: spec}, "status": {Type: "object", Properties: status},
		}}
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: name == "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
		})
	}
	version("v1", m.Spoke, m.Status.Spoke)
	version("v2", m.Hub, m.Status.Hub)
	table := &v1alpha1.Crosswalk{}
	table.Name, table.Spec.Hub, table.Spec.Parameters = crd.Name, "v2", m.Parameters
	table.Spec.Versions = []v1alpha1.VersionTable{{Name: "v1", Rows: m.Rows, Tables: m.Tables}}
	s, err := NewSubject(crd, table, compileWithFunctions)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return s
}

// FuzzMapping puts two objects, of the spoke and of the hub, to the laws by the table
// of one mapping: each goes to the other version and comes back, what converting
// either gives is what the naive converter says, and the one wins that is written
// over the view of the other.
func FuzzMapping(f *testing.F) {
	var judged []*allowed
	for i, m := range mappingTables(f) {
		a := newAllowed(f, m.subject(f))
		if m.NotNaive {
			a.reference = nil
		}
		judged = append(judged, a)
		for j, o := range m.Objects {
			f.Add(uint8(i), j%2 == 1, []byte(o.Spoke), []byte(o.Hub))
		}
	}
	f.Fuzz(func(t *testing.T, mapping uint8, served bool, spoke, hub []byte) {
		a := judged[int(mapping)%len(judged)]
		if len(spoke)+len(hub) > 1<<14 {
			return
		}
		one, other := a.object(spoke, "v1"), a.object(hub, "v2")
		choice := uint8(0)
		if served {
			choice = 1
		}
		for version, v := range map[string]*tree.Value{"v1": one, "v2": other} {
			if from, ok := a.s.convertible(v); ok && from == version {
				a.judge(t, v, version, choice)
			}
		}
		a.over(t, one, other, "v1", "v2", served)
		a.over(t, other, one, "v2", "v1", served)
	})
}

// object is an object of a version, with what fuzzing has made of the rest: nil if
// that is nothing.
func (a *allowed) object(text []byte, version string) *tree.Value {
	v, err := tree.Parse(text)
	if err != nil || v.Kind != tree.Object {
		return tree.NewObject()
	}
	v.Set("apiVersion", tree.NewString(a.s.apiVersion(version)))
	v.Set("kind", tree.NewString(a.s.CRD.Spec.Names.Kind))
	return v
}

// over writes another object over the view of one, as far as they differ: what
// somebody writes wins, whatever was kept for what was there.
func (a *allowed) over(t *testing.T, one, other *tree.Value, from, to string, served bool) {
	for _, v := range []*tree.Value{one, other} {
		if _, ok := a.s.convertible(v); !ok {
			return
		}
	}
	one, other = coerce(one, a.s.schemas[from]), coerce(other, a.s.schemas[to])
	if !a.allows(one, from) || !a.allows(other, to) {
		return
	}
	c := Case{Law: LiveWins, Object: one.Append(nil), From: from, Through: []string{to, from}, Served: served}
	for _, name := range []string{"spec", "status"} {
		c.Edits = append(c.Edits, Edit{Path: tree.Names(name), Value: other.Get(name)})
	}
	if found := a.s.Check(c); found != nil {
		t.Fatal(found.Markdown())
	}
}

// TestMappingLaws judges the table of each mapping, by all laws and generated objects.
func TestMappingLaws(t *testing.T) {
	t.Parallel()
	for _, m := range mappingTables(t) {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			report := RunTable(context.Background(), m.subject(t), compileWithFunctions, Options{Seed: 9, Objects: fewer(30)})
			if err := report.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMappings holds mappings.yaml to what it is for: of every member of a row there
// is one, and every object that it starts with is one that the schema allows, so that
// all laws look at it.
func TestMappings(t *testing.T) {
	used := map[string]bool{}
	for _, m := range mappingTables(t) {
		for _, r := range allRows(&v1alpha1.Crosswalk{Spec: v1alpha1.CrosswalkSpec{Versions: []v1alpha1.VersionTable{{Rows: m.Rows, Tables: m.Tables}}}}) {
			v := reflect.ValueOf(r)
			for i := range v.NumField() {
				used[v.Type().Field(i).Name] = used[v.Type().Field(i).Name] || !v.Field(i).IsZero()
			}
		}
		a := newAllowed(t, m.subject(t))
		for i, o := range m.Objects {
			for version, object := range map[string]json.RawMessage{"v1": o.Spoke, "v2": o.Hub} {
				v := a.object(object, version)
				if pruned := coerce(v, a.s.schemas[version]); !a.allows(v, version) || !tree.Equal(pruned, v) {
					t.Errorf("%s: object %d of %s is none that its schema allows: %s", m.Name, i, version, v)
				}
			}
		}
	}
	for i := range reflect.TypeFor[v1alpha1.Row]().NumField() {
		if name := reflect.TypeFor[v1alpha1.Row]().Field(i).Name; !used[name] {
			t.Errorf("no table of mappings.yaml has a row with %s", name)
		}
	}
}
