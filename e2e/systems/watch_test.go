package systems

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testWatch sees in every version what happens through each.
func (v variant) testWatch(t *testing.T) {
	for _, born := range v.versions() {
		o := v.bornIn(t, born)
		name := slug("watch-" + o.Name)
		watches := map[string]*harness.Watch{}
		for _, version := range v.versions() {
			r := v.in(version)
			_, from, err := r.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			watch, err := v.api.Watch(stage.Within(t, 30*time.Second),
				r.Path("?watch=true&fieldSelector=metadata.name%3D"+name+"&resourceVersion="+from))
			if err != nil {
				t.Fatal(err)
			}
			defer watch.Close()
			watches[version] = watch
		}
		next := func(kind string, views map[string]tree) {
			t.Helper()
			for version, watch := range watches {
				event, err := watch.Next()
				if err != nil {
					t.Fatal(err)
				}
				if event.Type != kind {
					t.Fatalf("event %s in %s, want %s: %s", event.Type, version, kind, event.Object)
				}
				v.wantView(t, event.Object, version, views)
			}
		}
		v.create(t, o, "watch")
		next("ADDED", o.Views)
		views := o.Views
		for i, e := range o.Edits {
			through := slices.Sorted(maps.Keys(e.In))[i%len(e.In)]
			after := e.after(views)
			if reflect.DeepEqual(after, views) {
				continue // Nothing changes, and nobody hears of it.
			}
			views = after
			if _, err := v.in(through).MergePatch(t.Context(), name, string(check.Encode(t, e.In[through].Value))); err != nil {
				t.Fatal(err)
			}
			next("MODIFIED", views)
		}
		last := v.versions()[len(v.versions())-1]
		if _, err := v.in(last).Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		next("DELETED", views)
	}
}
