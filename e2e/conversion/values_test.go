package conversion

import (
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

var sampleVersions = []string{"v1alpha1", "v1"}

// readSamples reads the table of Samples, twice: with either version stored.
func readSamples(t *testing.T) (tables []harness.Table) {
	t.Helper()
	v1Stored, err := harness.ReadTable("testdata")
	if err != nil {
		t.Fatal(err)
	}
	v1alpha1Stored, err := v1Stored.InGroup("v1alpha1-stored.example.com", "v1alpha1")
	if err != nil {
		t.Fatal(err)
	}
	return []harness.Table{v1Stored, v1alpha1Stored}
}

// testValues writes every value through each version.
func testValues(t *testing.T, api *harness.API, table harness.Table) {
	for i, via := range sampleVersions {
		r := harness.Resource{API: api, Group: table.CRD.Spec.Group, Version: via, Plural: "samples", Namespace: "default"}
		t.Run("through "+via, func(t *testing.T) {
			for n, s := range samples() {
				t.Run(s.name, func(t *testing.T) {
					s.test(t, r, r.In(sampleVersions[1-i]), fmt.Sprintf("sample-%s-%d", via, n))
				})
			}
		})
	}
}

// test writes the sample through via and looks at it through other, writes it back
// there untouched in spec, and looks at it through via.
func (s sample) test(t *testing.T, via, other harness.Resource, name string) {
	own, seen := s.spec(via.Version, true), s.spec(other.Version, false)
	created, err := via.Create(t.Context(), sampleObject(via, name, own))
	if err != nil {
		t.Fatal(err)
	}
	wantExactly(t, "what was created", created, own)
	readExactly(t, "where it was written", via, name, own)
	converted := readExactly(t, "in the other version", other, name, seen)

	changed := check.Decode(t, converted).(map[string]any)
	changed["metadata"].(map[string]any)["labels"] = map[string]any{"touched": "yes"}
	if _, err := other.Update(t.Context(), name, check.Encode(t, changed)); err != nil {
		t.Fatal(err)
	}
	readExactly(t, "in the other version after an update there", other, name, seen)
	readExactly(t, "where it was written, after an update in the other version", via, name, own)
}

// spec is the sample in a version, with or without what that version alone has.
func (s sample) spec(version string, private bool) string {
	spec := s.v1
	if version == "v1alpha1" {
		spec = s.v1alpha1
	}
	if spec == `{}` {
		return spec
	}
	if private {
		spec += "," + s.private[version]
	}
	return "{" + spec + "}"
}

func sampleObject(r harness.Resource, name, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"Sample","metadata":{"name":%q},"spec":%s}`, r.APIVersion(), name, spec)
}

func readExactly(t *testing.T, where string, r harness.Resource, name, spec string) []byte {
	t.Helper()
	data, err := r.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	wantExactly(t, where, data, spec)
	return data
}

func wantExactly(t *testing.T, where string, data []byte, spec string) {
	t.Helper()
	got, ok := exact.At(check.Decode(t, data), "spec")
	if !ok {
		t.Fatalf("%s: no spec in %s", where, data)
	}
	if diff := exact.Diff(got, check.Decode(t, []byte(spec))); diff != "" {
		t.Errorf("%s:\n%s", where, diff)
	}
}
