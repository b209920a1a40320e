package crontab

import (
	"testing"
	"time"
)

// testWatch sees in one version what happens through the other.
func (v variant) testWatch(t *testing.T) {
	name := v.unique("watch")
	_, from, err := v.other.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	watch, err := v.other.API.Watch(within(t, 20*time.Second),
		v.other.Path("?watch=true&fieldSelector=metadata.name%3D"+name+"&resourceVersion="+from))
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()

	next := func(kind, spec string) {
		t.Helper()
		event, err := watch.Next()
		if err != nil {
			t.Fatal(err)
		}
		if event.Type != kind {
			t.Fatalf("event %s, want %s: %s", event.Type, kind, event.Object)
		}
		wantField(t, event.Object, spec, "spec")
		wantMetadata(t, event.Object)
		wantAPIVersion(t, event.Object, v.other.APIVersion())
	}
	if _, err := v.via.Create(t.Context(), object(v.via, name, v.own)); err != nil {
		t.Fatal(err)
	}
	next("ADDED", v.seen)
	if _, err := v.other.MergePatch(t.Context(), name, `{"spec":`+v.edit+`}`); err != nil {
		t.Fatal(err)
	}
	next("MODIFIED", v.seenEdit)
	if _, err := v.via.Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	next("DELETED", v.seenEdit)
}
