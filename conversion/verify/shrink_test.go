package verify

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
)

// renames is a table of n rows, each of which renames a field, and the object that has all of
// these fields.
func renames(n int) (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk, []byte) {
	table := &v1alpha1.Crosswalk{ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"}}
	table.Spec.Hub = "v1"
	table.Spec.Versions = []v1alpha1.VersionTable{{Name: "v1beta1"}}
	old, now := map[string]apiextensionsv1.JSONSchemaProps{}, map[string]apiextensionsv1.JSONSchemaProps{}
	object := bytes.NewBufferString(`{"apiVersion":"example.com/v1beta1","kind":"Thing","metadata":{"name":"x"},"spec":{`)
	for i := range n {
		a, b := fmt.Sprintf("old%d", i), fmt.Sprintf("new%d", i)
		old[a], now[b] = apiextensionsv1.JSONSchemaProps{Type: "string"}, apiextensionsv1.JSONSchemaProps{Type: "string"}
		row := v1alpha1.Row{Spoke: &v1alpha1.Place{Path: ".spec." + a}, Hub: &v1alpha1.Place{Path: ".spec." + b}}
		table.Spec.Versions[0].Rows = append(table.Spec.Versions[0].Rows, row)
		if i > 0 {
			object.WriteByte(',')
		}
		fmt.Fprintf(object, "%q:%q", a, "text")
	}
	object.WriteString("}}")
	version := func(name string, fields map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.CustomResourceDefinitionVersion {
		return apiextensionsv1.CustomResourceDefinitionVersion{
			Name: name, Served: true, Storage: name == "v1",
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: fields}},
			}},
		}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"}}
	crd.Spec.Group, crd.Spec.Names.Kind, crd.Spec.Names.Plural = "example.com", "Thing", "things"
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{version("v1beta1", old), version("v1", now)}
	return crd, table, object.Bytes()
}

// losing is a converter that loses a field.
type losing struct {
	Converter
	field []byte
}

func (l losing) Convert(dst, object []byte, to string) ([]byte, error) {
	out, err := l.Converter.Convert(nil, object, to)
	return append(dst, bytes.ReplaceAll(out, l.field, []byte(`"lost"`))...), err
}

// A counterexample of a large table, and of what it was before, comes down to the one row that
// breaks the law. To count compilations keeps that within seconds.
func TestShrinkLargeTable(t *testing.T) {
	t.Parallel()
	crd, table, object := renames(55)
	compilations := 0
	compile := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
		compilations++
		c, err := Compile(crd, table)
		if err != nil || table.Labels["is"] == "earlier" || !slices.ContainsFunc(table.Spec.Versions[0].Rows, func(r v1alpha1.Row) bool { return r.Hub.Path == ".spec.new40" }) {
			return c, err
		}
		return losing{c, []byte(`"new40"`)}, nil
	}
	found := func(law Law, through ...string) *Counterexample {
		s, err := NewSubject(crd, table, compile)
		if err != nil {
			t.Fatal(err)
		}
		if law == Evolved {
			was := table.DeepCopy()
			was.Labels = map[string]string{"is": "earlier"}
			earlier, err := NewSubject(crd, was, compile)
			if err != nil {
				t.Fatal(err)
			}
			s.After(earlier)
		}
		found := s.Check(Case{Law: law, Object: object, From: "v1beta1", Through: through})
		if found == nil {
			t.Fatalf("%s holds for a converter that loses a field", law)
		}
		return found
	}
	for _, c := range []struct {
		found *Counterexample
		most  int // compilations
	}{
		{found(RoundTrip, "v1"), 250},
		{found(Evolved, "v1", "v1beta1"), 600},
	} {
		compilations = 0
		small := Shrink(t.Context(), c.found, compile)
		if rows := rows.Count(small.Subject.Table); rows != 1 || len(small.Object) > 120 {
			t.Errorf("%s: %d rows are left for an object of %d bytes", c.found.Law, rows, len(small.Object))
		}
		if was := small.Subject.earlier; was != nil && rows.Count(was.Table) > 1 {
			t.Errorf("%s: %d rows are left of the earlier table", c.found.Law, rows.Count(was.Table))
		}
		if compilations > c.most {
			t.Errorf("%s: %d compilations, at most %d expected", c.found.Law, compilations, c.most)
		}
		t.Logf("%s: %d compilations, %s", c.found.Law, compilations, small.Object)
	}
}

func TestShrinkEnds(t *testing.T) {
	t.Parallel()
	crd, table, object := renames(3)
	compile := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
		c, err := Compile(crd, table)
		return losing{c, []byte(`"new1"`)}, err
	}
	s, err := NewSubject(crd, table, compile)
	if err != nil {
		t.Fatal(err)
	}
	found := s.Check(Case{Law: RoundTrip, Object: object, From: "v1beta1", Through: []string{"v1"}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := func(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) (Converter, error) {
		t.Error("a table is compiled although nobody waits")
		return nil, nil
	}
	if small := Shrink(ctx, found, none); small != found {
		t.Errorf("it has gone on although nobody waits: %s", small)
	}
}
