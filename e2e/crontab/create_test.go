package crontab

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testCreate writes an object and reads it in every way and version, etcd's
// included.
func (v variant) testCreate(t *testing.T) {
	name := v.unique("create")
	answer, err := v.via.Create(t.Context(), object(v.via, name, v.own))
	if err != nil {
		t.Fatal(err)
	}
	wantField(t, answer, v.own, "spec")
	wantMetadata(t, answer)

	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)
	for r, spec := range map[harness.Resource]string{v.via: v.own, v.other: v.seen} {
		got, err := r.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		wantMetadata(t, got)
		listed := find(t, r, name)
		wantField(t, listed, spec, "spec")
		wantMetadata(t, listed)
		wantAPIVersion(t, listed, r.APIVersion())
	}
	v.wantStored(t, name)
}

// wantStored reads etcd itself: what is stored has the stored version and its
// shape, and holds everything that was written.
func (v variant) wantStored(t *testing.T, name string) {
	t.Helper()
	raw, err := v.scene.ControlPlane.EtcdValue(t.Context(), v.via.EtcdKey(name))
	if err != nil {
		t.Fatal(err)
	}
	wantAPIVersion(t, raw, v.via.In(v.stored).APIVersion())
	wantMetadata(t, raw)
	if v.stored == v.via.Version {
		wantField(t, raw, v.own, "spec")
		if bytes.Contains(raw, []byte("crosswalk.dev")) {
			t.Errorf("an object that was never converted has an annotation of ours: %s", raw)
		}
		return
	}
	wantField(t, raw, v.seen, "spec")
	stash, ok := exact.At(decode(t, raw), "metadata", "annotations", "stash.crosswalk.dev/"+v.via.Version)
	if !ok {
		t.Fatalf("no stash of %s in %s", v.via.Version, raw)
	}
	if text, _ := stash.(string); !bytes.Contains([]byte(text), []byte(v.lost)) {
		t.Errorf("%s is not in the stash: %v", v.lost, stash)
	}
}

// find returns the object's item in the list of all.
func find(t *testing.T, r harness.Resource, name string) json.RawMessage {
	t.Helper()
	items, _, err := r.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if got, _ := exact.At(decode(t, item), "metadata", "name"); got == name {
			return item
		}
	}
	t.Fatalf("%s is not in the list of %s", name, r.APIVersion())
	return nil
}
