package crontab

import (
	"regexp"
	"testing"
)

// testColumns reads kubectl's table in both versions, by the short name where it
// says which group is meant.
func (v variant) testColumns(t *testing.T) {
	name := v.create(t, "columns")
	want := regexp.MustCompile(`^NAME +SPEC +REPLICAS +AGE\n` + name + ` +0 2 \* \* \* +3 +\d+s\n$`)
	for _, version := range versions {
		got, err := v.scene.ControlPlane.Kubectl(t.Context(), "get", "crontabs."+version+"."+v.via.Group, name)
		if err != nil {
			t.Fatal(err)
		}
		if !want.MatchString(got) {
			t.Errorf("in %s: got\n%s\nwant %s", version, got, want)
		}
	}
}
