package crontab

import (
	"errors"
	"net/http"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testDelete deletes an object with a finalizer through the other version.
func (v variant) testDelete(t *testing.T) {
	name := v.create(t, "delete")
	if _, err := v.via.MergePatch(t.Context(), name, `{"metadata":{"finalizers":["example.com/cleanup"]}}`); err != nil {
		t.Fatal(err)
	}
	if _, err := v.other.Delete(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	for _, r := range []harness.Resource{v.via, v.other} {
		got := mustGet(t, r, name)
		if _, ok := exact.At(decode(t, got), "metadata", "deletionTimestamp"); !ok {
			t.Errorf("no deletionTimestamp in %s", got)
		}
		wantField(t, got, `["example.com/cleanup"]`, "metadata", "finalizers")
		wantMetadata(t, got)
	}
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)

	if _, err := v.other.MergePatch(t.Context(), name, `{"metadata":{"finalizers":null}}`); err != nil {
		t.Fatal(err)
	}
	for _, r := range []harness.Resource{v.via, v.other} {
		_, err := r.Get(t.Context(), name)
		var status *harness.StatusError
		if !errors.As(err, &status) || status.Code != http.StatusNotFound {
			t.Errorf("in %s: want not found, got %v", r.Version, err)
		}
	}
}
