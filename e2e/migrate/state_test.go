package migrate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// state is one object at one moment.
type state struct {
	version         string // that it is stored in
	resourceVersion string
	etcd            []byte
	metadata        exact.Value // in etcd, less annotations: those hold what the stored version cannot
	beta, v1        exact.Value // as the API server shows it, less resourceVersion
}

// states reads all objects, from etcd and through both versions.
func (w *world) states(t *testing.T) map[string]state {
	t.Helper()
	// After a change of the CRD lists are not served for a moment.
	var items []json.RawMessage
	eventually(t, 30*time.Second, func(ctx context.Context) (err error) {
		items, _, err = w.beta.List(ctx)
		return err
	})
	all := map[string]state{}
	var mu sync.Mutex
	var reading sync.WaitGroup
	names := make(chan string)
	for range 8 {
		reading.Go(func() {
			for name := range names {
				s, err := w.state(t, name)
				if err != nil {
					t.Error(err)
					continue
				}
				mu.Lock()
				all[name] = s
				mu.Unlock()
			}
		})
	}
	for _, item := range items {
		name, _ := exact.At(must(t, item), "metadata", "name")
		names <- name.(string)
	}
	close(names)
	reading.Wait()
	return all
}

func (w *world) state(t *testing.T, name string) (state, error) {
	var s state
	var err error
	if s.etcd, err = w.scene.ControlPlane.EtcdValue(t.Context(), w.beta.EtcdKey(name)); err != nil {
		return s, err
	}
	stored, err := exact.Decode(s.etcd)
	if err != nil {
		return s, err
	}
	apiVersion, _ := exact.At(stored, "apiVersion")
	s.version = apiVersion.(string)[len(w.beta.Group)+1:]
	metadata, _ := exact.At(stored, "metadata")
	delete(metadata.(map[string]any), "annotations")
	s.metadata = metadata
	for _, view := range []struct {
		version string
		into    *exact.Value
	}{{"v1beta1", &s.beta}, {"v1", &s.v1}} {
		data, err := w.beta.In(view.version).Get(t.Context(), name)
		if err != nil {
			return s, err
		}
		object, err := exact.Decode(data)
		if err != nil {
			return s, err
		}
		metadata, ok := exact.At(object, "metadata")
		if !ok {
			return s, fmt.Errorf("%s has no metadata", data)
		}
		s.resourceVersion = metadata.(map[string]any)["resourceVersion"].(string)
		delete(metadata.(map[string]any), "resourceVersion")
		*view.into = object
	}
	return s, nil
}

func must(t *testing.T, data []byte) exact.Value {
	t.Helper()
	v, err := exact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wantMigrated compares all objects with what they were: they are stored in
// version now, and nothing else changed. Those that were stored in it are not
// touched at all.
func wantMigrated(t *testing.T, before, after map[string]state, version string) {
	t.Helper()
	if len(before) == 0 || !slices.Equal(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))) {
		t.Fatalf("%d objects before, %d after", len(before), len(after))
	}
	for name, was := range before {
		is := after[name]
		if is.version != version {
			t.Errorf("%s is stored in %s", name, is.version)
		}
		if was.version == version && was.resourceVersion != is.resourceVersion {
			t.Errorf("%s was stored in %s, and has another resourceVersion now", name, version)
		}
		for what, diff := range map[string]string{
			"metadata in etcd": exact.Diff(is.metadata, was.metadata),
			"v1beta1":          exact.Diff(is.beta, was.beta),
			"v1":               exact.Diff(is.v1, was.v1),
		} {
			if diff != "" {
				t.Errorf("%s: %s: %s", name, what, diff)
			}
		}
	}
}

func wantUntouched(t *testing.T, before, after map[string]state) {
	t.Helper()
	for name, was := range before {
		if is := after[name]; string(is.etcd) != string(was.etcd) || is.resourceVersion != was.resourceVersion {
			t.Errorf("%s was written:\n%s\n%s", name, was.etcd, is.etcd)
		}
	}
}

// in counts the objects that are stored in a version.
func in(all map[string]state, version string) int {
	n := 0
	for _, s := range all {
		if s.version == version {
			n++
		}
	}
	return n
}
