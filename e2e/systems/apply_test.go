package systems

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testClientSideApply applies objects with kubectl, which computes its patches from
// an annotation in the version that was applied last: by turns in the version that
// they are born in and in another. One is born in the version that is stored.
func (v variant) testClientSideApply(t *testing.T) {
	for _, born := range []string{v.stored, v.others(v.stored)[0]} {
		o, other := v.bornIn(t, born), v.others(born)[0]
		name := slug("apply-" + o.Name)
		apply := func(manifest []byte, want string) {
			t.Helper()
			said := v.kubectl(t, string(manifest), "apply", "-f", "-")
			if !strings.HasSuffix(strings.TrimSpace(said), "/"+name+" "+want) {
				t.Errorf("kubectl said %q, want %s", said, want)
			}
		}
		apply(v.written(t, o, name), "created")
		v.wantViews(t, name, o.Views)
		apply(v.written(t, o, name), "unchanged")

		edited := o.Edits[0].after(o.Views)
		manifest := v.manifest(t, other, name, edited[other].Value)
		apply(manifest, "configured")
		v.wantViews(t, name, edited)

		// What the edit brought and the first manifest does not have goes again.
		apply(v.written(t, o, name), "configured")
		v.wantViews(t, name, o.Views)

		v.kubectl(t, string(manifest), "delete", "-f", "-")
		for _, version := range v.versions() {
			check.Gone(t, v.in(version), name)
		}
	}
}

// testServerSideApply lets one manager apply the whole object in the version that
// it is born in, and another make each edit in every version that can. Apply does
// not take away what others own, or change its order.
func (v variant) testServerSideApply(t *testing.T) {
	v.eachOf(t, edit.applies, func(t *testing.T, o object, e edit, through string) {
		name := slug("ssa-" + o.Name + "-" + e.About + "-" + through)
		apply := func(version, manager string, manifest []byte) []byte {
			t.Helper()
			answer, err := v.in(version).Apply(t.Context(), name, manager, manifest)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		first := v.written(t, o, name)
		v.wantView(t, apply(o.Born, "first", first), o.Born, o.Views)
		v.wantViews(t, name, o.Views)

		second := v.fragment(t, through, name, e.In[through].Value)
		_, err := v.in(through).Apply(t.Context(), name, "second", second)
		// What the first owns, in whatever version, is not the second's to change.
		patch, seen := e.In[o.Born]
		conflict := seen && changes(check.Decode(t, first), patch.Value)
		switch {
		case conflict && !check.Is(err, http.StatusConflict):
			t.Errorf("want a conflict with the first manager, got %v", err)
		case !conflict && err != nil:
			t.Errorf("nobody else has what is applied: %v", err)
		}
		apply(through, "second&force=true", second)
		v.wantViews(t, name, e.after(o.Views))

		before := check.ResourceVersion(t, check.Get(t, v.in(through), name))
		if after := check.ResourceVersion(t, apply(through, "second", second)); after != before {
			t.Errorf("an apply that changes nothing wrote the object: resourceVersion %s became %s", before, after)
		}
		v.wantStored(t, name, v.stored, e.after(o.Views))
		v.wantManagers(t, name, map[string]string{"first": o.Born, "second": through})
	})
}

// changes reports whether a patch gives another value to something that is there.
func changes(v, patch exact.Value) bool {
	object, ok := v.(map[string]any)
	members, both := patch.(map[string]any)
	if !ok || !both {
		return exact.Diff(v, patch) != ""
	}
	for name, member := range members {
		if was, ok := object[name]; ok && changes(was, member) {
			return true
		}
	}
	return false
}

// wantManagers wants each manager's fields in the version that it applied in.
func (v variant) wantManagers(t *testing.T, name string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	managed, _ := exact.At(check.Decode(t, check.Get(t, v.in(v.stored), name)), "metadata", "managedFields")
	for _, entry := range managed.([]any) {
		manager, _ := exact.At(entry, "manager")
		version, _ := exact.At(entry, "apiVersion")
		got[manager.(string)] = strings.TrimPrefix(version.(string), v.crd.Spec.Group+"/")
	}
	if !maps.Equal(got, want) {
		t.Errorf("managers %v, want %v", slices.Sorted(maps.Keys(got)), want)
	}
}
