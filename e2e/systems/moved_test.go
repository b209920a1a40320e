package systems

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
)

// testMovedManifest lets a manager apply an object in one version and then the
// same object in another, as somebody does who moves a repository of manifests to
// a new version. What only the old version has is no longer applied, so it goes,
// as if the object had always been written in the new one; but what has a default
// or a constant there stays, see "stays" in the data.
func (v variant) testMovedManifest(t *testing.T) {
	for _, o := range v.Objects {
		for _, to := range v.others(o.Born) {
			t.Run(o.Name+", to "+to, func(t *testing.T) {
				moved, fresh := slug("moved-"+o.Name+"-"+to), slug("fresh-"+o.Name+"-"+to)
				if _, err := v.in(o.Born).Apply(t.Context(), moved, "gitops", v.written(t, o, moved)); err != nil {
					t.Fatal(err)
				}
				body := o.Views[to].Value
				if _, err := v.in(to).Apply(t.Context(), moved, "gitops", v.manifest(t, to, moved, body)); err != nil {
					t.Fatal(err)
				}
				if _, err := v.in(to).Apply(t.Context(), fresh, "gitops", v.manifest(t, to, fresh, body)); err != nil {
					t.Fatal(err)
				}
				views := map[string]tree{}
				for _, version := range v.versions() {
					views[version] = tree{bare(check.Decode(t, check.Get(t, v.in(version), fresh)))}
				}
				v.wantViews(t, moved, edit{In: o.Stays}.after(views))
				v.wantManagers(t, moved, map[string]string{"gitops": to})
			})
		}
	}
}
