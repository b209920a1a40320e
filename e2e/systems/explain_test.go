package systems

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// field is a line of kubectl explain.
var field = regexp.MustCompile(`(?m)^  ([^\s<]+)\t<`)

// testExplain reads every version's own fields with kubectl explain.
func (v variant) testExplain(t *testing.T) {
	for _, version := range v.crd.Spec.Versions {
		for _, part := range []string{"spec", "status"} {
			got := v.kubectl(t, "", "explain", v.crd.Spec.Names.Plural+"."+part, "--api-version="+v.in(version.Name).APIVersion())
			if !regexp.MustCompile(`(?m)^VERSION: +` + version.Name + `$`).MatchString(got) {
				t.Errorf("kubectl explain does not speak of %s:\n%s", version.Name, got)
			}
			var fields []string
			for _, line := range field.FindAllStringSubmatch(got, -1) {
				fields = append(fields, line[1])
			}
			want := slices.Sorted(maps.Keys(version.Schema.OpenAPIV3Schema.Properties[part].Properties))
			if !slices.Equal(slices.Sorted(slices.Values(fields)), want) {
				t.Errorf("fields of %s in %s: %s, want %s", part, version.Name, strings.Join(fields, " "), strings.Join(want, " "))
			}
		}
	}
}
