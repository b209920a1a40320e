package systems

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testStorage changes the storage version to each of the others and back. What is
// stored stays as it is and reads the same; a write, even one that changes
// nothing, moves it; and the CRD remembers what may still be there.
func (v variant) testStorage(t *testing.T) {
	stored := []string{v.stored}
	for _, next := range append(v.others(v.stored), v.stored) {
		kept := map[string]map[string]tree{}
		held := map[string]map[string]tree{}
		for _, o := range v.Objects {
			name := v.create(t, o, "kept", next)
			kept[name] = o.Views
			if len(o.Statuses) > 0 {
				v.writeStatus(t, o.Born, name, o.Statuses[0], false)
				kept[name] = o.Statuses[0].after(o.Views)
			}
			name = v.create(t, o, "held", next)
			v.hold(t, o.Born, name)
			held[name] = o.Views
		}
		lists, bytesBefore := v.listAll(t), v.raw(t, kept)
		was := v.stored
		v.changeStorage(t, next)
		v.stored = next
		if !slices.Contains(stored, next) {
			stored = append(stored, next)
		}
		v.wantStoredVersions(t, stored)
		v.wantLists(t, lists)
		for name, before := range bytesBefore {
			if after := v.raw(t, map[string]map[string]tree{name: nil})[name]; !bytes.Equal(before, after) {
				t.Errorf("%s was rewritten, though nobody wrote it: %s", name, after)
			}
		}

		i := 0
		for name, views := range kept {
			through := v.in(v.versions()[i%len(v.versions())])
			if _, err := through.Update(t.Context(), name, check.Get(t, through, name)); err != nil {
				t.Fatal(err)
			}
			v.wantStored(t, name, next, views)
			v.wantViews(t, name, views)
			i++
		}
		for name, views := range held {
			v.wantStored(t, name, was, views)
			v.deleteHeld(t, next, name, views)
			v.wantStored(t, name, next, views)
			v.finish(t, was, name)
		}
	}
}

// changeStorage lets the CRD store another version, and waits until it does.
func (v variant) changeStorage(t *testing.T, next string) {
	t.Helper()
	var patch []any
	for i, version := range v.crd.Spec.Versions {
		patch = append(patch, map[string]any{
			"op": "replace", "path": fmt.Sprintf("/spec/versions/%d/storage", i), "value": version.Name == next,
		})
	}
	v.kubectl(t, "", "patch", "crd", v.crd.Name, "--type=json", "--patch="+string(check.Encode(t, patch)))
	o, tries := v.Objects[0], 0
	stage.Until(t, 30*time.Second, func(ctx context.Context) error {
		tries++
		name := slug(fmt.Sprintf("probe-%s-%d", next, tries))
		if _, err := v.in(o.Born).Create(ctx, v.written(t, o, name)); err != nil {
			return err
		}
		raw, err := v.scene.ControlPlane.EtcdValue(ctx, v.in(next).EtcdKey(name))
		if err != nil {
			return err
		}
		if got, _ := exact.At(check.Decode(t, raw), "apiVersion"); got != v.in(next).APIVersion() {
			return fmt.Errorf("%s is stored as %v", name, got)
		}
		_, err = v.in(o.Born).Delete(ctx, name)
		return err
	})
}

func (v variant) wantStoredVersions(t *testing.T, want []string) {
	t.Helper()
	var got []string
	said := v.kubectl(t, "", "get", "crd", v.crd.Name, "-o", "jsonpath={.status.storedVersions}")
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("storedVersions %v, want %v", got, want)
	}
}

// listAll lists every version by name. As a client does, it asks again while the
// API server fills its caches.
func (v variant) listAll(t *testing.T) map[string]map[string]exact.Value {
	t.Helper()
	all := map[string]map[string]exact.Value{}
	for _, version := range v.versions() {
		stage.Until(t, 30*time.Second, func(ctx context.Context) error {
			items, _, err := v.in(version).List(ctx)
			all[version] = map[string]exact.Value{}
			for _, item := range items {
				object := check.Decode(t, item)
				name, _ := exact.At(object, "metadata", "name")
				all[version][name.(string)] = object
			}
			return err
		})
	}
	return all
}

// wantLists compares the lists with those from before, metadata included. What
// has come since is not looked at.
func (v variant) wantLists(t *testing.T, before map[string]map[string]exact.Value) {
	t.Helper()
	now := v.listAll(t)
	for version, objects := range before {
		for name, object := range objects {
			if diff := exact.Diff(now[version][name], object); diff != "" {
				t.Errorf("%s in %s:\n%s", name, version, diff)
			}
		}
	}
}

// raw reads from etcd.
func (v variant) raw(t *testing.T, names map[string]map[string]tree) map[string][]byte {
	t.Helper()
	stored := map[string][]byte{}
	for name := range names {
		data, err := v.scene.ControlPlane.EtcdValue(t.Context(), v.in(v.stored).EtcdKey(name))
		if err != nil {
			t.Fatal(err)
		}
		stored[name] = data
	}
	return stored
}
