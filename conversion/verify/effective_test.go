package verify

import (
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// What a table has retired is not judged, and what versions share is theirs.
func TestSubjectIsWhatIsCompiled(t *testing.T) {
	crd, table := weave.Document("v1")
	for _, name := range []string{"v1alpha1", "v1beta1", "v1"} {
		of := "string"
		if name == "v1alpha1" {
			of = "integer"
		}
		spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"f": {Type: of}}}
		weave.AddVersion(crd, name, &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}})
	}
	crd.Spec.Versions[0].Served, crd.Spec.Versions[2].Storage = false, true
	spec := &v1alpha1.Place{Path: ".spec"}
	table.Spec.Tables = map[string][]v1alpha1.Row{"all": {{Spoke: &v1alpha1.Place{Path: ".f"}, Hub: &v1alpha1.Place{Path: ".f"}}}}
	table.Spec.Versions = []v1alpha1.VersionTable{
		{Name: "v1alpha1", Retired: "it is old"},
		{Name: "v1beta1", Rows: []v1alpha1.Row{{Spoke: spec, Hub: spec, Table: "all"}}},
	}
	s, err := NewSubject(crd, table, Compile)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Versions(); !slices.Equal(got, []string{"v1beta1", "v1"}) {
		t.Errorf("it judges %v", got)
	}
	judge := NewJudge(s, 1, 5)
	judge.Generated(func() bool { return true })
	if rows := judge.Uses.All(); len(judge.Found) > 0 || len(rows) != 2 || rows[1].Title != "table all row 1" || rows[1].Times == 0 {
		t.Errorf("found %v, rows %+v", judge.Found, rows)
	}
}
