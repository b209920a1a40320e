package systems

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
		lists, stores := v.listAll(t), map[string][]byte{}
		for name := range kept {
			stores[name] = v.raw(t, name)
		}
		was := v.stored
		v.changeStorage(t, next)
		v.stored = next
		if !slices.Contains(stored, next) {
			stored = append(stored, next)
		}
		v.wantStoredVersions(t, stored)
		v.wantLists(t, lists)
		for name, before := range stores {
			if after := v.raw(t, name); !bytes.Equal(before, after) {
				t.Errorf("%s was rewritten, though nobody wrote it: %s", name, after)
			}
		}

		for i, name := range slices.Sorted(maps.Keys(kept)) {
			views, through := kept[name], v.in(v.versions()[i%len(v.versions())])
			if _, err := through.Update(t.Context(), name, check.Get(t, through, name)); err != nil {
				t.Fatal(err)
			}
			v.wantStored(t, name, next, views)
			v.wantViews(t, name, views)
		}
		for name, views := range held {
			v.wantStored(t, name, was, views)
			v.deleteHeld(t, next, name, views)
			v.wantStored(t, name, next, views)
			v.finish(t, was, name)
		}
	}
}

// changeStorage applies the CRD with another storage version, as whoever installed
// it does, and waits until that is what is stored. The manifest says nothing of
// conversion, so that stays as it is.
func (v variant) changeStorage(t *testing.T, next string) {
	t.Helper()
	crd := v.crd.DeepCopy()
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == next
	}
	v.kubectl(t, string(check.Encode(t, crd)), "apply", "-f", "-")
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

// raw reads what etcd has.
func (v variant) raw(t *testing.T, name string) []byte {
	t.Helper()
	data, err := v.scene.ControlPlane.EtcdValue(t.Context(), v.in(v.stored).EtcdKey(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
