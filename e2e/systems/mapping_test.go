package systems

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
)

// testMapping asks client-go's RESTMapper, which knows what discovery says, for
// full and for partial names.
func (v variant) testMapping(t *testing.T) {
	found := newClients(t, v.scene)
	mapper := restmapper.NewShortcutExpander(found.mapper, found.discovery, nil)
	names := v.crd.Spec.Names
	group := v.crd.Spec.Group
	preferred := schema.GroupVersion{Group: group, Version: v.preferred()}

	// Kubectl's partial names: without a version it is the preferred one.
	partial := []schema.GroupVersionResource{
		{Group: group, Resource: names.Plural},
		{Group: group, Resource: names.Singular},
	}
	for _, short := range names.ShortNames {
		partial = append(partial, schema.GroupVersionResource{Resource: short})
	}
	for _, name := range partial {
		kind, err := mapper.KindFor(name)
		if err != nil || kind != preferred.WithKind(names.Kind) {
			t.Errorf("KindFor(%v) is %v, %v", name, kind, err)
		}
		resource, err := mapper.ResourceFor(name)
		if err != nil || resource != preferred.WithResource(names.Plural) {
			t.Errorf("ResourceFor(%v) is %v, %v", name, resource, err)
		}
	}

	// Full names are taken at their word.
	var resources []schema.GroupVersionResource
	var kinds []schema.GroupVersionKind
	for _, version := range v.byPreference() {
		full := schema.GroupVersion{Group: group, Version: version}
		resources = append(resources, full.WithResource(names.Plural))
		kinds = append(kinds, full.WithKind(names.Kind))
		if kind, err := mapper.KindFor(full.WithResource(names.Plural)); err != nil || kind != full.WithKind(names.Kind) {
			t.Errorf("KindFor(%s) in %s is %v, %v", names.Plural, version, kind, err)
		}
		mapping, err := mapper.RESTMapping(schema.GroupKind{Group: group, Kind: names.Kind}, version)
		if err != nil {
			t.Errorf("RESTMapping in %s: %v", version, err)
			continue
		}
		if mapping.Resource != full.WithResource(names.Plural) || mapping.GroupVersionKind != full.WithKind(names.Kind) ||
			mapping.Scope.Name() != meta.RESTScopeNameNamespace {
			t.Errorf("RESTMapping in %s is %+v", version, mapping)
		}
	}
	v.wantEveryVersion(t, mapper, resources, kinds)

	// Nothing is guessed.
	for _, name := range []schema.GroupVersionResource{
		preferred.WithResource(names.Plural + "es"),
		{Group: group, Version: "v0", Resource: names.Plural},
		{Group: "other." + group, Resource: names.Plural},
	} {
		if kind, err := mapper.KindFor(name); !meta.IsNoMatchError(err) {
			t.Errorf("KindFor(%v) is %v, %v", name, kind, err)
		}
	}
	if mapping, err := mapper.RESTMapping(schema.GroupKind{Group: group, Kind: names.Kind + "s"}); !meta.IsNoMatchError(err) {
		t.Errorf("RESTMapping of a kind in the plural is %+v, %v", mapping, err)
	}
}

// wantEveryVersion asks for all that a name without a version can mean.
func (v variant) wantEveryVersion(t *testing.T, mapper meta.RESTMapper, resources []schema.GroupVersionResource, kinds []schema.GroupVersionKind) {
	t.Helper()
	any := schema.GroupVersionResource{Group: v.crd.Spec.Group, Resource: v.crd.Spec.Names.Plural}
	gotResources, err := mapper.ResourcesFor(any)
	if err != nil || !sameVersions(gotResources, resources) {
		t.Errorf("ResourcesFor(%v) are %v, %v", any, gotResources, err)
	}
	gotKinds, err := mapper.KindsFor(any)
	if err != nil || !sameVersions(gotKinds, kinds) {
		t.Errorf("KindsFor(%v) are %v, %v", any, gotKinds, err)
	}
	mappings, err := mapper.RESTMappings(schema.GroupKind{Group: v.crd.Spec.Group, Kind: v.crd.Spec.Names.Kind})
	if err != nil || len(mappings) != len(kinds) {
		t.Errorf("%d RESTMappings, %v; want %d", len(mappings), err, len(kinds))
	}
	best, err := mapper.RESTMapping(schema.GroupKind{Group: v.crd.Spec.Group, Kind: v.crd.Spec.Names.Kind})
	if err != nil || best.GroupVersionKind != kinds[0] {
		t.Errorf("RESTMapping is %+v, %v; want %v", best, err, kinds[0])
	}
}

// sameVersions wants the preferred version first, and then the others.
func sameVersions[T comparable](got, want []T) bool {
	if len(got) != len(want) || got[0] != want[0] {
		return false
	}
	return !slices.ContainsFunc(want, func(one T) bool { return !slices.Contains(got, one) })
}
