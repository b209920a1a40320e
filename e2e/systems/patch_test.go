package systems

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// each runs a test for every edit of every object through every version that can
// make it.
func (v variant) each(t *testing.T, test func(t *testing.T, o object, e edit, through string)) {
	v.eachOf(t, func(edit) bool { return true }, test)
}

// eachOf is each for the edits that are wanted.
func (v variant) eachOf(t *testing.T, wanted func(edit) bool, test func(t *testing.T, o object, e edit, through string)) {
	for _, o := range v.Objects {
		for _, e := range o.Edits {
			if !wanted(e) {
				continue
			}
			for _, through := range slices.Sorted(maps.Keys(e.In)) {
				t.Run(o.Name+", "+e.About+", through "+through, func(t *testing.T) { test(t, o, e, through) })
			}
		}
	}
}

// testPatch edits every object with a merge patch or with a JSON patch: the edit is
// seen in every version, and everything else stays.
func (v variant) testPatch(t *testing.T) {
	patches := 0
	v.each(t, func(t *testing.T, o object, e edit, through string) {
		contentType, patch := harness.MergePatchType, e.In[through].Value
		if patches++; patches%3 == 0 {
			contentType, patch = jsonPatchType, jsonPatch(e.after(o.Views)[through].Value)
		}
		name := v.create(t, o, "patch", e.About, through)
		path := v.in(through).Path("/" + name + "?fieldValidation=Strict")
		answer, err := v.api.Do(t.Context(), http.MethodPatch, path, contentType, check.Encode(t, patch))
		if err != nil {
			t.Fatal(err)
		}
		v.wantView(t, answer, through, e.after(o.Views))
		v.wantViews(t, name, e.after(o.Views))
	})
}

const jsonPatchType = "application/json-patch+json"

// jsonPatch makes an object what view says.
func jsonPatch(view exact.Value) exact.Value {
	after := exact.Merge(common(), view).(map[string]any)
	steps := []any{map[string]any{"op": "replace", "path": "/spec", "value": after["spec"]}}
	annotations, _ := exact.At(after, "metadata", "annotations")
	for key, value := range annotations.(map[string]any) {
		// A slash in a name is ~1 in a JSON pointer: RFC 6901, section 3.
		path := "/metadata/annotations/" + strings.ReplaceAll(key, "/", "~1")
		steps = append(steps, map[string]any{"op": "add", "path": path, "value": value})
	}
	return steps
}

// testUpdate replaces every object, as a client does that read it before.
func (v variant) testUpdate(t *testing.T) {
	v.each(t, func(t *testing.T, o object, e edit, through string) {
		r := v.in(through)
		name := v.create(t, o, "update", e.About, through)
		read := check.Get(t, r, name)
		same, err := r.Update(t.Context(), name, read)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := check.ResourceVersion(t, same), check.ResourceVersion(t, read); got != want {
			t.Errorf("an update that changes nothing wrote the object: resourceVersion %s became %s", want, got)
		}
		changed := exact.Merge(check.Decode(t, read), e.In[through].Value)
		answer, err := r.Update(t.Context(), name, check.Encode(t, changed))
		if err != nil {
			t.Fatal(err)
		}
		v.wantView(t, answer, through, e.after(o.Views))
		v.wantViews(t, name, e.after(o.Views))
		v.wantStored(t, name, v.stored, e.after(o.Views))
	})
}
