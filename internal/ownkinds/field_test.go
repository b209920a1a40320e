package ownkinds

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestFieldOf(t *testing.T) {
	inner := &v1alpha1.Each{Rows: []v1alpha1.Row{{}, {Each: &v1alpha1.Each{Rows: []v1alpha1.Row{{}}}}}}
	spec := v1alpha1.CrosswalkSpec{Hub: "v1", Tables: map[string][]v1alpha1.Row{"shared": {{}, {Each: inner}}}, Versions: []v1alpha1.VersionTable{
		{Name: "v0", Rows: []v1alpha1.Row{{}, {Each: inner}}},
		{Name: "v1beta1", Rows: []v1alpha1.Row{{}, {Keyed: &v1alpha1.Keyed{Rows: []v1alpha1.Row{{}}}}},
			Tables: map[string][]v1alpha1.Row{"route": {{}, {Single: &v1alpha1.Single{Rows: []v1alpha1.Row{{}}}}}}},
		{Name: "v0", Rows: []v1alpha1.Row{{}, {}}},
	}}
	for _, test := range []struct{ version, row, want string }{
		{"", "", "spec"},
		{"v0", "", "spec.versions[0]"},
		{"v2", "", "spec.versions"},
		{"v1beta1", "row 1", "spec.versions[1].rows[0]"},
		{"v0", "row 2", "spec.versions[0].rows[1]"},
		{"v0", "row 2, each row 1", "spec.versions[0].rows[1].each.rows[0]"},
		{"v0", "row 2, each row 2, each row 1", "spec.versions[0].rows[1].each.rows[1].each.rows[0]"},
		{"v1beta1", "row 2, keyed row 1", "spec.versions[1].rows[1].keyed.rows[0]"},
		{"v1beta1", "table route row 1", "spec.versions[1].tables[route][0]"},
		{"v1beta1", "table route row 2, single row 1", "spec.versions[1].tables[route][1].single.rows[0]"},
		{"v0", "table shared row 2, each row 1", "spec.tables[shared][1].each.rows[0]"},
		{"v0", "row 2, each row 9", "spec.versions[0].rows[1]"},
		{"v0", "row 4", "spec.versions[2].rows[1]"},
		{"v0", "row 9", "spec.versions[0]"},
		{"v0", "row 0", "spec.versions[0]"},
	} {
		if got := fieldOf(spec, conversion.Problem{Version: test.version, Row: test.row}); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.version, test.row, got, test.want)
		}
	}
}

// A message names rows in one way only.
func TestMessageNamesRowsByField(t *testing.T) {
	var spec v1alpha1.CrosswalkSpec
	const text = `
versions:
- name: v1beta1
  rows:
  - {spoke: .spec.a, hub: .spec.b}
  - {spoke: .spec.c, hub: .spec.d, each: {rows: [{spoke: .e, hub: .f}]}}
  tables: {t: [{spoke: .g, hub: .h}]}
`
	if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ message, want string }{
		{"row 2 names a field inside of it", "spec.versions[0].rows[1] names a field inside of it"},
		{"put it into row 2, each row 1, or remove it", "put it into spec.versions[0].rows[1].each.rows[0], or remove it"},
		{"table t row 1 has it", "spec.versions[0].tables[t][0] has it"},
		{"a row has it, and rows 2", "a row has it, and rows 2"},
	} {
		for _, p := range []conversion.Problem{{Message: test.message}, {Remedy: test.message}} {
			p.Version = "v1beta1"
			if got := strings.TrimPrefix(messageOf(spec, p), "v1beta1: "); strings.Trim(got, "; ") != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		}
	}
}
