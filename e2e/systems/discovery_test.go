package systems

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

// byPreference are the example's versions as Kubernetes orders them: v1, v1beta1,
// v1alpha3.
func (e *example) byPreference() []string {
	names := e.versions()
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	return names
}

func (e *example) preferred() string { return e.byPreference()[0] }

// testDiscovery finds every version with its names and subresources.
func (v variant) testDiscovery(t *testing.T) {
	found := newClients(t, v.scene).discovery
	groups, err := found.ServerGroups()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == v.crd.Spec.Group })
	if i < 0 {
		t.Fatalf("no group %s", v.crd.Spec.Group)
	}
	group := groups.Groups[i]
	if group.PreferredVersion.Version != v.preferred() {
		t.Errorf("%s is preferred, want %s", group.PreferredVersion.Version, v.preferred())
	}
	var served []string
	for _, version := range group.Versions {
		served = append(served, version.Version)
	}
	if !slices.Equal(served, v.byPreference()) {
		t.Errorf("versions %v, want %v", served, v.byPreference())
	}
	for _, name := range v.versions() {
		resources, err := found.ServerResourcesForGroupVersion(v.in(name).APIVersion())
		if err != nil {
			t.Fatal(err)
		}
		v.wantResources(t, name, resources.APIResources)
	}
	v.wantInKubectl(t)
}

// wantResources compares what is served in one version with the CRD.
func (v variant) wantResources(t *testing.T, name string, resources []metav1.APIResource) {
	t.Helper()
	got := map[string]metav1.APIResource{}
	for _, r := range resources {
		got[r.Name] = r
	}
	names := v.crd.Spec.Names
	main := got[names.Plural]
	if main.Kind != names.Kind || main.SingularName != names.Singular || !main.Namespaced ||
		!slices.Equal(main.ShortNames, names.ShortNames) || !slices.Equal(main.Categories, names.Categories) {
		t.Errorf("in %s: %+v, want %+v", name, main, names)
	}
	want := map[string]string{names.Plural: names.Kind, names.Plural + "/status": names.Kind}
	if v.scaleOf(name) != nil {
		want[names.Plural+"/scale"] = "Scale"
		if scale := got[names.Plural+"/scale"]; scale.Group != "autoscaling" || scale.Version != "v1" {
			t.Errorf("in %s: the scale is of %s/%s", name, scale.Group, scale.Version)
		}
	}
	kinds := map[string]string{}
	for _, r := range got {
		kinds[r.Name] = r.Kind
	}
	if !maps.Equal(kinds, want) {
		t.Errorf("in %s: resources %v, want %v", name, kinds, want)
	}
}

// wantInKubectl looks for the same in what kubectl lists.
func (v variant) wantInKubectl(t *testing.T) {
	t.Helper()
	versions := strings.Fields(v.kubectl(t, "", "api-versions"))
	for _, name := range v.versions() {
		if !slices.Contains(versions, v.in(name).APIVersion()) {
			t.Errorf("kubectl api-versions has no %s", v.in(name).APIVersion())
		}
	}
	names := v.crd.Spec.Names
	want := regexp.MustCompile(`(?m)^` + strings.Join([]string{
		names.Plural, strings.Join(names.ShortNames, ","), regexp.QuoteMeta(v.in(v.preferred()).APIVersion()), "true", names.Kind, `\S+`,
		strings.Join(names.Categories, ","),
	}, ` +`) + `$`)
	if got := v.kubectl(t, "", "api-resources", "--api-group="+v.crd.Spec.Group, "-o", "wide"); !want.MatchString(got) {
		t.Errorf("kubectl api-resources: got\n%s\nwant %s", got, want)
	}
}
