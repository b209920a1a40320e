package complement_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// story is an object that is converted, perhaps edited in the other version, and converted back. All
// texts are YAML. The hub is v1, and the other version v1beta1.
type story struct {
	// name is what the story shows.
	name string
	tables
	// from is the version of the object, v1beta1 if it is empty.
	from string
	// object is the object's spec, and status its status, if it has one: v1beta1 has there at, and v1
	// since.
	object, status string
	// there is the spec in the other version. It is not compared if it is empty.
	there string
	// kept are the entries of the stash, as entryText writes them. They are not compared if it is nil.
	kept []string
	// visits says that the object is converted to v1alpha1 and back meanwhile.
	visits bool
	// edited is the spec in the other version after an edit, empty if there is none, and gone the
	// annotations that the edit removes.
	edited string
	// later are the tables by which the object comes back, if they are others.
	later *tables
	// back is the spec that comes back, empty if it is the object's.
	back string
	// unplaced is how many entries have no place on the way back.
	unplaced int
}

// tables are the properties of spec in two versions, and the rows between them. If drops is set, there is
// v1alpha1, too, of which spec has no properties. It drops this field of v1.
type tables struct{ beta, v1, rows, drops string }

// tell runs stories as tests.
func tell(t *testing.T, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(t)
		})
	}
}

func (s story) run(t *testing.T) {
	from, to := "v1beta1", "v1"
	if s.from == to {
		from, to = to, from
	}
	object := map[string]any{"apiVersion": "example.com/" + from, "kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": decoded(t, s.object)}
	if s.status != "" {
		object["status"] = decoded(t, s.status)
	}
	c := compiled(t, s.tables)
	there, _ := converted(t, c, object, to)
	if s.there != "" {
		compare(t, "the spec in "+to, there["spec"], decoded(t, s.there))
	}
	if s.kept != nil {
		compare(t, "what is kept", entries(t, there, from), s.kept)
	}
	if s.visits {
		visiting, _ := converted(t, c, there, "v1alpha1")
		there, _ = converted(t, c, visiting, to)
	}
	if s.edited != "" {
		there["spec"] = decoded(t, s.edited)
	}
	if s.later != nil {
		c = compiled(t, *s.later)
	}
	back, notes := converted(t, c, there, from)
	want := object["spec"]
	if s.back != "" {
		want = decoded(t, s.back)
	}
	compare(t, "the spec that comes back", back["spec"], want)
	compare(t, "the status that comes back", back["status"], object["status"])
	if notes.Unplaced != s.unplaced {
		t.Errorf("%d entries are unplaced, want %d", notes.Unplaced, s.unplaced)
	}
}

// compare reports a difference between two values.
func compare(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", what, text(t, got), text(t, want))
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	if lines, ok := value.([]string); ok {
		return strings.Join(lines, "\n")
	}
	out, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

// compiled compiles the rows.
func compiled(t *testing.T, tables tables) *conversion.Converter {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name, crd.Spec.Group, crd.Spec.Names.Kind = "things.example.com", "example.com", "Thing"
	for i, properties := range []string{tables.beta, tables.v1} {
		root := apiextensionsv1.JSONSchemaProps{Type: "object"}
		text := "spec: {type: object, properties: {" + properties + "}}\nstatus: {type: object, properties: {" + []string{"at", "since"}[i] + ": {type: string}}}"
		if err := yaml.UnmarshalStrict([]byte(text), &root.Properties); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: []string{"v1beta1", "v1"}[i], Served: true, Storage: i == 1, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
		})
	}
	table := &v1alpha1.Crosswalk{}
	table.Name, table.Spec.Hub = crd.Name, "v1"
	of := v1alpha1.VersionTable{Name: "v1beta1"}
	if err := yaml.UnmarshalStrict([]byte(tables.rows), &of.Rows); err != nil {
		t.Fatalf("%s: %v", tables.rows, err)
	}
	table.Spec.Versions = []v1alpha1.VersionTable{of}
	if tables.drops != "" {
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: "v1alpha1", Served: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object"}},
			}},
		})
		drop := v1alpha1.VersionTable{Name: "v1alpha1"}
		if err := yaml.UnmarshalStrict([]byte("[{hub: "+tables.drops+", drop: it is not needed}]"), &drop.Rows); err != nil {
			t.Fatal(err)
		}
		table.Spec.Versions = append(table.Spec.Versions, drop)
	}
	c, err := conversion.Compile(crd, table)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func converted(t *testing.T, c *conversion.Converter, object map[string]any, to string) (map[string]any, conversion.Notes) {
	t.Helper()
	in, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if in, err = yaml.YAMLToJSON(in); err != nil {
		t.Fatal(err)
	}
	var notes conversion.Notes
	out, err := c.ConvertNoting(t.Context(), nil, in, to, &notes)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, string(out)).(map[string]any), notes
}

// entries returns the entries of a version's stash in an object.
func entries(t *testing.T, object map[string]any, version string) []string {
	t.Helper()
	all := []string{}
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for _, suffix := range []string{"", stash.StatusSuffix} {
		written, found := annotations[stash.Prefix+version+suffix].(string)
		if !found {
			continue
		}
		read, _, err := stash.Read(nil, []byte(written))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range read {
			all = append(all, entryText(e))
		}
	}
	slices.Sort(all)
	return all
}

// entryText writes an entry: its address; its value, or ABSENT, or the order of a list; IF it is
// guarded; and the version from which it could not be placed.
func entryText(e stash.Entry) string {
	text := ""
	for _, s := range e.At {
		text += stepText(s)
	}
	switch {
	case e.Order != nil:
		var items []string
		for _, item := range e.Order {
			one := stepText(item.Step)
			if item.Value != nil {
				one = string(item.Value)
			}
			if item.Rank > 0 {
				one = fmt.Sprintf("%s#%d", one, item.Rank)
			}
			if item.Double {
				one += " double"
			}
			items = append(items, one)
		}
		text += " ORDER " + strings.Join(items, " ")
	case e.Value == nil:
		text += " ABSENT"
	default:
		text += " " + string(e.Value)
	}
	if e.Guard != nil {
		text += " IF"
	}
	if e.Unplaced != nil {
		text += " UNPLACED " + string(e.Unplaced)
	}
	return text
}

func stepText(s stash.Step) string {
	switch {
	case s.Part != nil:
		return "(" + string(s.Part) + ")"
	case s.In != nil:
		in := s.In
		s.In = nil
		return strings.TrimSuffix(stepText(s), "]") + " in " + string(in) + "]"
	case s.Key != nil && s.There != nil:
		return "[" + string(s.Key) + " there " + string(s.There) + "]"
	case s.Key != nil:
		return "[" + string(s.Key) + "]"
	case len(s.Content) > 0:
		text := fmt.Sprintf("[content %d", s.Nth)
		if s.Alike > 0 {
			text += fmt.Sprintf(", alike %d", s.Alike)
		}
		if s.Full != nil {
			text += ", full"
		}
		return text + "]"
	case s.Content != nil:
		return fmt.Sprintf("[only %d]", s.Nth)
	}
	return "." + string(s.Name)
}
