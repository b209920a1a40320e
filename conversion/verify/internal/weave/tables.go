package weave

import (
	"fmt"
	"math/rand/v2"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Tables generates CRDs of two to four versions, and tables for them.
type Tables struct {
	Rand *rand.Rand
	// Seen counts what was generated; it may be nil.
	Seen *draw.Coverage
	// Functions says that tables may call Functions.
	Functions bool
}

// weaver builds the schemas of all versions and the rows between them at the same time, one concept
// after the other.
type weaver struct {
	draw.Generator
	names  int
	hub    *shape
	spokes []*spoke
	// functions says that rows may call Functions.
	functions bool
	// loose is the number of collections around the current one whose elements are kept whole if
	// the other version can't represent them.
	loose int
}

// spoke is one version that is not the hub.
type spoke struct {
	name string
	root *shape
	rows []v1alpha1.Row
	// tables are the spoke's named tables.
	tables map[string][]v1alpha1.Row
	// annotated says that a row already uses the one annotation for rows.
	annotated bool
}

// scope is an object of the hub, and its ends in the spokes.
type scope struct {
	hub   *shape
	depth int
	ends  []end
}

// end is the object of a spoke for an object of the hub.
type end struct {
	spoke *spoke
	// object is nil if the spoke has none.
	object *shape
	// here and there are the spoke's and the hub's path in the list of rows.
	here, there tree.Path
	// rows is nil if no row can be written, because no row maps a list around the object.
	rows *[]v1alpha1.Row
	// same says that the two objects share the fields at the same paths.
	same bool
}

// Generate makes a CRD and its table. Some tables do not compile: only the compiler knows of some
// defaults that a row must have.
func (t *Tables) Generate() (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) {
	w := &weaver{Generator: draw.Generator{Rand: t.Rand, Seen: t.Seen}, hub: newObject(), functions: t.Functions}
	names := []string{"v1", "v1beta1", "v1alpha1", "v2"}
	w.Rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	count := 1
	if w.Chance(40) {
		count = 2 + w.Rand.IntN(2)
		t.Seen.Count("table/three versions or more")
	}
	for _, name := range names[1 : 1+count] {
		w.spokes = append(w.spokes, &spoke{name: name, root: newObject()})
	}
	scopes := []scope{w.top("spec")}
	if w.Chance(60) {
		scopes = append(scopes, w.top("status"))
	}
	if w.Chance(15) {
		t.Seen.Count("table/other top-level field")
		scopes = append(scopes, w.top("extra"))
	}
	for i, sc := range scopes {
		w.fill(sc, 1+w.Rand.IntN(4-i))
	}
	return w.finish(names[0])
}

// top adds a top-level field, which every version has.
func (w *weaver) top(name string) scope {
	sc := scope{hub: w.hub.add(name, newObject())}
	for _, s := range w.spokes {
		sc.ends = append(sc.ends, end{spoke: s, object: s.root.add(name, newObject()), here: tree.Names(name), there: tree.Names(name), rows: &s.rows, same: true})
	}
	return sc
}

func (w *weaver) finish(hub string) (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) {
	crd, table := Document(hub)
	defer func() { w.parameters(table) }()
	version := func(name string, root *shape) {
		root.add("apiVersion", newScalar("string"))
		root.add("kind", newScalar("string"))
		root.add("metadata", &shape{schema: apiextensionsv1.JSONSchemaProps{Type: "object"}})
		schema := root.build()
		AddVersion(crd, name, &schema)
	}
	version(hub, w.hub)
	for _, s := range w.spokes {
		version(s.name, s.root)
		if len(s.rows) > 0 {
			table.Spec.Versions = append(table.Spec.Versions, v1alpha1.VersionTable{Name: s.name, Rows: s.rows, Tables: s.tables})
		}
	}
	versions := crd.Spec.Versions
	w.Rand.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
	if w.hub.props["status"] != nil && w.Chance(40) {
		w.Seen.Count("table/status apart")
		StatusApart(crd)
	}
	stored := w.Rand.IntN(len(versions))
	versions[stored].Storage = true
	if versions[stored].Name == hub {
		w.Seen.Count("table/hub stored")
	} else {
		w.Seen.Count("table/spoke stored")
	}
	return crd, table
}

// Document makes a CRD without versions and a table without rows.
func Document(hub string) (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) {
	crd := &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
		},
	}
	return crd, &v1alpha1.Crosswalk{
		TypeMeta:   metav1.TypeMeta{APIVersion: "crosswalk.dev/v1alpha1", Kind: "Crosswalk"},
		ObjectMeta: metav1.ObjectMeta{Name: crd.Name},
		Spec:       v1alpha1.CrosswalkSpec{Hub: hub},
	}
}

func AddVersion(crd *apiextensionsv1.CustomResourceDefinition, name string, schema *apiextensionsv1.JSONSchemaProps) {
	crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
	})
}

// StatusApart makes status a subresource of every version.
func StatusApart(crd *apiextensionsv1.CustomResourceDefinition) {
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	}
}

// name returns a field name that no version has yet, sometimes an unusual one.
func (w *weaver) name() string {
	w.names++
	name := fmt.Sprintf("f%d", w.names)
	if w.Chance(6) {
		w.Seen.Count("table/odd field name")
		name = []string{"dot.", "slash/", "é", "dash-", "space ", "~1", "$"}[w.Rand.IntN(7)] + name
	}
	return name
}

func place(p tree.Path) *v1alpha1.Place { return &v1alpha1.Place{Path: p.String()} }

func Value(v *tree.Value) *v1alpha1.Value { return &v1alpha1.Value{JSON: v.Append(nil)} }

func (e *end) add(r v1alpha1.Row) { *e.rows = append(*e.rows, r) }
