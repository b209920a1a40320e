package systems

import (
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testUnknown writes fields that a version does not have. Told to be strict, the
// API server refuses them; else it prunes them, and neither they nor the pruning
// reach what another version has by that name.
func (v variant) testUnknown(t *testing.T) {
	for _, u := range v.Unknown {
		for _, born := range v.versions() {
			t.Run(u.Field+" in "+u.Through+", born in "+born, func(t *testing.T) {
				o := v.bornIn(t, born)
				name := v.create(t, o, "unknown", u.Field, u.Through)
				r := v.in(u.Through)
				_, err := r.MergePatch(t.Context(), name, string(check.Encode(t, u.Patch.Value)))
				if err == nil || !check.Is(err, http.StatusUnprocessableEntity) && !check.Is(err, http.StatusBadRequest) ||
					!strings.Contains(err.Error(), `unknown field \"`+u.Field+`\"`) {
					t.Errorf("want the complaint that %s is unknown, got %v", u.Field, err)
				}
				v.wantViews(t, name, o.Views)

				// The patch changes something else, too, so that it is written.
				patch := exact.Merge(u.Patch.Value, exact.Patch("pruned", "metadata", "labels", "by"))
				path := r.Path("/" + name + "?fieldValidation=Ignore")
				if _, err := v.api.Do(t.Context(), http.MethodPatch, path, harness.MergePatchType, check.Encode(t, patch)); err != nil {
					t.Fatal(err)
				}
				labelled := edit{In: map[string]tree{}}
				for _, version := range v.versions() {
					labelled.In[version] = tree{exact.Patch("pruned", "metadata", "labels", "by")}
				}
				v.wantViews(t, name, labelled.after(o.Views))
			})
		}
	}
}
