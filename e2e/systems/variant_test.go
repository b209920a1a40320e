package systems

import (
	"maps"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// variant is an example with one of its versions stored.
type variant struct {
	*example
	scene  *harness.Scene
	api    *harness.API
	crd    *apiextensionsv1.CustomResourceDefinition
	stored string
}

// variants are the example as it is, and in groups of their own with each of its
// other versions stored. Those have no short names and categories, which say
// nothing of a group.
func (e *example) variants(t *testing.T) []harness.Table {
	t.Helper()
	tables := []harness.Table{e.table}
	for _, version := range e.table.CRD.Spec.Versions {
		if version.Storage {
			continue
		}
		table, err := e.table.InGroup(version.Name+"-stored."+e.table.CRD.Spec.Group, version.Name)
		if err != nil {
			t.Fatal(err)
		}
		table.CRD.Spec.Names.ShortNames, table.CRD.Spec.Names.Categories = nil, nil
		tables = append(tables, table)
	}
	return tables
}

func newVariant(e *example, scene *harness.Scene, api *harness.API, table harness.Table) variant {
	v := variant{example: e, scene: scene, api: api, crd: table.CRD}
	for _, version := range table.CRD.Spec.Versions {
		if version.Storage {
			v.stored = version.Name
		}
	}
	return v
}

// in is the resource in one version, in the example's own namespace.
func (v variant) in(version string) harness.Resource {
	return harness.Resource{API: v.api, Group: v.crd.Spec.Group, Version: version, Plural: v.crd.Spec.Names.Plural, Namespace: v.name}
}

// argument names the resource in one version for kubectl.
func (v variant) argument(version string) string {
	return v.crd.Spec.Names.Plural + "." + version + "." + v.crd.Spec.Group
}

// kubectl runs kubectl in the example's namespace.
func (v variant) kubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := v.scene.ControlPlane.KubectlWith(t.Context(), stdin, append([]string{"--namespace", v.name}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// common is what every object has in every version.
func common() exact.Value {
	return map[string]any{"metadata": map[string]any{
		"labels":      map[string]any{"team": "storage"},
		"annotations": map[string]any{"example.com/empty": ""},
	}}
}

// manifest is an object of one version.
func (v variant) manifest(t *testing.T, version, name string, body exact.Value) []byte {
	t.Helper()
	return v.fragment(t, version, name, exact.Merge(common(), body))
}

// fragment is an object that holds nothing but body.
func (v variant) fragment(t *testing.T, version, name string, body exact.Value) []byte {
	t.Helper()
	return check.Encode(t, exact.Merge(body, map[string]any{
		"apiVersion": v.in(version).APIVersion(), "kind": v.crd.Spec.Names.Kind,
		"metadata": map[string]any{"name": name},
	}))
}

// written is what is sent to create an object.
func (v variant) written(t *testing.T, o object, name string) []byte {
	t.Helper()
	body := o.Written.Value
	if body == nil {
		body = o.Views[o.Born].Value
	}
	return v.manifest(t, o.Born, name, body)
}

// create makes an object and returns its name.
func (v variant) create(t *testing.T, o object, purpose ...string) string {
	t.Helper()
	name := slug(strings.Join(append(purpose, o.Name), "-"))
	if _, err := v.in(o.Born).Create(t.Context(), v.written(t, o, name)); err != nil {
		t.Fatal(err)
	}
	return name
}

// wantViews reads an object in every version.
func (v variant) wantViews(t *testing.T, name string, views map[string]tree) {
	t.Helper()
	for _, version := range v.versions() {
		got := check.Get(t, v.in(version), name)
		v.wantView(t, got, version, views)
	}
}

// wantView compares an object with its view in one version: everything but what
// the API server and Crosswalk say in metadata.
func (v variant) wantView(t *testing.T, data []byte, version string, views map[string]tree) {
	t.Helper()
	check.APIVersion(t, data, v.in(version).APIVersion())
	want := exact.Merge(common(), views[version].Value)
	if diff := exact.Diff(bare(check.Decode(t, data)), want); diff != "" {
		t.Errorf("%s in %s, %s stored:\n%s", v.crd.Name, version, v.stored, diff)
	}
}

// bare is what users wrote.
func bare(v exact.Value) exact.Value {
	left := maps.Clone(v.(map[string]any))
	delete(left, "apiVersion")
	delete(left, "kind")
	metadata := left["metadata"].(map[string]any)
	kept := map[string]any{}
	for _, key := range []string{"labels", "annotations"} {
		texts, ok := metadata[key].(map[string]any)
		if !ok {
			continue
		}
		texts = maps.Clone(texts)
		maps.DeleteFunc(texts, func(name string, _ any) bool {
			return strings.HasPrefix(name, check.StashPrefix) || name == "kubectl.kubernetes.io/last-applied-configuration"
		})
		kept[key] = texts
	}
	left["metadata"] = kept
	return left
}

// wantStored reads etcd itself: what is stored has the storage version, in its
// shape, and the whole object.
func (v variant) wantStored(t *testing.T, name, version string, views map[string]tree) []byte {
	t.Helper()
	raw := v.raw(t, name)
	v.wantView(t, raw, version, views)
	return raw
}

// others are the versions but one.
func (e *example) others(version string) []string {
	return slices.DeleteFunc(e.versions(), func(v string) bool { return v == version })
}
