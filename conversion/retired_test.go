package conversion_test

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// written is a table for things.example.com whose spec is given, with v1 as its hub.
func written(t *testing.T, spec string) *v1alpha1.Crosswalk {
	t.Helper()
	cw := table(t, `[]`)
	cw.Spec = v1alpha1.CrosswalkSpec{}
	if err := yaml.UnmarshalStrict([]byte("{hub: v1, "+spec+"}"), &cw.Spec); err != nil {
		t.Fatal(err)
	}
	return cw
}

// withOld is a CRD with the version v1alpha1, which nobody serves, and whose one field
// is of another type than that of the others.
func withOld(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := versions(t, map[string]string{"v1alpha1": spec("s: {type: integer}"), "v1beta1": spec("s: {type: string}"), "v1": spec("s: {type: string}")})
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		v.Served, v.Storage = v.Name != "v1alpha1", v.Name == "v1"
	}
	return crd
}

const retireOld = `versions: [{name: v1alpha1, retired: none is stored since 1.2}]`

func TestRetired(t *testing.T) {
	c, err := conversion.Compile(withOld(t), written(t, retireOld))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Versions(), " "); strings.Contains(got, "v1alpha1") || len(c.Versions()) != 2 {
		t.Errorf("it converts %s", got)
	}
	_, err = c.Convert(nil, []byte(thing("v1alpha1", `"spec":{"s":1}`)), "v1")
	if want := `Thing: to v1: its apiVersion is "example.com/v1alpha1", and the table has retired this version, with the reason "none is stored since 1.2", ` +
		`so objects stored in it can't be read; give the version rows again, or correct its object`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	convert(t, c, thing("v1beta1", `"spec":{"s":"x"}`), "v1")
	// The CRD may lose the version before the table does, and nothing is another then.
	crd := withOld(t)
	for i, v := range crd.Spec.Versions {
		if v.Name == "v1alpha1" {
			crd.Spec.Versions = append(crd.Spec.Versions[:i:i], crd.Spec.Versions[i+1:]...)
			break
		}
	}
	without, err := conversion.Compile(crd, written(t, retireOld))
	if err != nil || without.Fingerprint() != c.Fingerprint() {
		t.Errorf("without the version: %v", err)
	}
}

func TestRetiredProblems(t *testing.T) {
	served := func(crd *apiextensionsv1.CustomResourceDefinition) {
		for i := range crd.Spec.Versions {
			crd.Spec.Versions[i].Served = true
		}
	}
	stored := func(crd *apiextensionsv1.CustomResourceDefinition) {
		crd.Status.StoredVersions = []string{"v1alpha1", "v1"}
	}
	const misfit = ".spec.s is of type integer in v1alpha1, but of type string in v1; add a mapping that converts one into the other, for example scalar: {}; or map it to another field with a row, or separate the two with a one-sided row for each version"
	for _, test := range []struct {
		spec   string
		change func(*apiextensionsv1.CustomResourceDefinition)
		want   []string
	}{
		{`versions: []`, nil, []string{
			"v1alpha1: the CRD neither serves nor stores this version, and the table does not name it, but 1 place in it would need rows, because objects may still be stored in it; if no objects are, retire it: {name: v1alpha1, retired: REASON}; otherwise write its rows: {name: v1alpha1, rows: [...]}",
		}},
		{`versions: [{name: v1alpha1}]`, nil, []string{
			"v1alpha1: " + misfit,
			"v1alpha1: the CRD neither serves nor stores this version, and it needs rows only because objects may still be stored in it; if no objects are, retire it: {name: v1alpha1, retired: REASON}",
		}},
		{`versions: []`, served, []string{"v1alpha1: " + misfit}},
		{`versions: []`, stored, []string{"v1alpha1: " + misfit}},
		{retireOld, stored, []string{"v1alpha1: objects may still be stored in the retired version, and could not be read: status.storedVersions of the CRD has it; run crosswalk migrate things.example.com, which rewrites them, or remove retired and write its rows"}},
		{retireOld, served, []string{
			"v1alpha1: the version can't be retired: the CRD serves or stores it; remove retired and write its rows, or set served: false and storage: false in the CRD first",
			"v1alpha1: " + misfit,
		}},
		{`versions: [{name: v1alpha1, retired: old, rows: [{spoke: .spec.s}]}]`, nil, []string{"v1alpha1: the version is retired, and has rows; remove either"}},
		{`versions: [{name: v1, retired: old}, {name: v1alpha1, retired: old}]`, nil, []string{
			"v1: the hub can't be retired: every other version is mapped to it; remove retired, or choose another hub",
			"v1: v1 is the hub and has no rows of its own; remove it: rows map the other versions to the hub",
		}},
	} {
		crd := withOld(t)
		if test.change != nil {
			test.change(crd)
		}
		_, err := conversion.Compile(crd, written(t, test.spec))
		const prefix = "crosswalk things.example.com: "
		if want := prefix + strings.Join(test.want, "\n"+prefix); err == nil || err.Error() != want {
			t.Errorf("%s: got\n%v\nwant\n%s", test.spec, err, want)
		}
	}
}
