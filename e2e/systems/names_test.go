package systems

import (
	"slices"
	"strings"
	"testing"
)

// testNames lists the example by every name that kubectl takes for it. What is
// shown is of the version that discovery prefers.
func (v variant) testNames(t *testing.T) {
	o := v.Objects[0]
	name := v.create(t, o, "names")
	if len(o.Statuses) > 0 {
		v.writeStatus(t, o.Born, name, o.Statuses[0], false)
	}
	names := v.crd.Spec.Names
	own := []string{names.Plural, names.Singular, names.Kind}
	for i := range own {
		if v.Taken {
			own[i] += "." + v.crd.Spec.Group
		}
	}
	for _, plain := range slices.Concat(own, names.ShortNames) {
		got := v.kubectl(t, "", "get", plain, name)
		if want := v.row(v.preferred(), name); !want.MatchString(got) {
			t.Errorf("kubectl get %s: got\n%s\nwant %s", plain, got, want)
		}
	}
	full := names.Singular + "." + v.crd.Spec.Group + "/" + name
	for _, category := range names.Categories {
		if got := v.kubectl(t, "", "get", category, "-o", "name"); !slices.Contains(strings.Split(got, "\n"), full) {
			t.Errorf("kubectl get %s has no %s:\n%s", category, full, got)
		}
		// With kinds of several groups at once kubectl says which is which.
		got := v.kubectl(t, "", "get", category, "--field-selector=metadata.name="+name)
		if short, want := v.row(v.preferred(), name), v.row(v.preferred(), full); !short.MatchString(got) && !want.MatchString(got) {
			t.Errorf("kubectl get %s: got\n%s\nwant %s", category, got, want)
		}
	}
}
