package systems

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

const finalizer = "example.com/cleanup"

// testFinalizers deletes objects with a finalizer through every version, and
// removes the finalizer through every version.
func (v variant) testFinalizers(t *testing.T) {
	versions := v.versions()
	for d, deletes := range versions {
		for f, finishes := range versions {
			born := versions[(d+f)%len(versions)]
			t.Run("born in "+born+", deleted in "+deletes+", finished in "+finishes, func(t *testing.T) {
				o := v.bornIn(t, born)
				name := v.create(t, o, "delete", deletes, finishes)
				v.hold(t, born, name)
				v.deleteHeld(t, deletes, name, o.Views)
				v.finish(t, finishes, name)
			})
		}
	}
}

// hold gives an object a finalizer.
func (v variant) hold(t *testing.T, through, name string) {
	t.Helper()
	if _, err := v.in(through).MergePatch(t.Context(), name, `{"metadata":{"finalizers":["`+finalizer+`"]}}`); err != nil {
		t.Fatal(err)
	}
}

// deleteHeld deletes an object with a finalizer: it stays as it was.
func (v variant) deleteHeld(t *testing.T, through, name string, views map[string]tree) {
	t.Helper()
	if _, err := v.in(through).Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	for _, version := range v.versions() {
		got := check.Get(t, v.in(version), name)
		if _, ok := exact.At(check.Decode(t, got), "metadata", "deletionTimestamp"); !ok {
			t.Errorf("no deletionTimestamp in %s", got)
		}
		check.Field(t, got, `["`+finalizer+`"]`, "metadata", "finalizers")
		v.wantView(t, got, version, views)
	}
}

// finish removes the finalizer, and with it the object.
func (v variant) finish(t *testing.T, through, name string) {
	t.Helper()
	if _, err := v.in(through).MergePatch(t.Context(), name, `{"metadata":{"finalizers":null}}`); err != nil {
		t.Fatal(err)
	}
	for _, version := range v.versions() {
		check.Gone(t, v.in(version), name)
	}
}
