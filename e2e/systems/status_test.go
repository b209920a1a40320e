package systems

import (
	"maps"
	"net/http"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testStatus writes status through every version, with a patch and with an update,
// on objects that were born in each. What only one version has is written there.
func (v variant) testStatus(t *testing.T) {
	for _, o := range v.Objects {
		if len(o.Statuses) == 0 {
			continue
		}
		for _, through := range v.versions() {
			t.Run(o.Name+", through "+through, func(t *testing.T) {
				name := v.create(t, o, "status", through)
				views := o.Views
				for i, e := range o.Statuses {
					version := through
					if _, ok := e.In[version]; !ok {
						version = v.others(through)[0]
					}
					views = e.after(views)
					answer := v.writeStatus(t, version, name, e, i%2 == 0)
					v.wantView(t, answer, version, views)
					v.wantViews(t, name, views)
				}
				v.wantStored(t, name, v.stored, views)

				// A write of the spec leaves the status, and the status that comes
				// with it is not taken.
				e := o.Edits[0]
				patch := maps.Clone(e.In[through].Value.(map[string]any))
				patch["status"] = nil
				if _, err := v.in(through).MergePatch(t.Context(), name, string(check.Encode(t, patch))); err != nil {
					t.Fatal(err)
				}
				v.wantViews(t, name, e.after(views))
			})
		}
	}
}

// writeStatus patches or replaces the status. A spec that comes with it is not
// taken.
func (v variant) writeStatus(t *testing.T, version, name string, e edit, replace bool) []byte {
	t.Helper()
	r := v.in(version)
	foreign := map[string]any{"metadata": map[string]any{"labels": map[string]any{"team": "thieves"}}}
	method, contentType, body := http.MethodPatch, harness.MergePatchType, exact.Merge(e.In[version].Value, foreign)
	if replace {
		method, contentType = http.MethodPut, harness.JSONType
		body = exact.Merge(check.Decode(t, check.Get(t, r, name)), body)
	}
	answer, err := v.api.Do(t.Context(), method, r.Path("/"+name+"/status?fieldValidation=Strict"), contentType, check.Encode(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
