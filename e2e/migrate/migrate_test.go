package migrate

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestMigrate runs every test in a group of its own of one control plane.
func TestMigrate(t *testing.T) {
	const disturbing, many = "away.example.com", "many.example.com"
	tests := map[string]func(*testing.T, *world){
		"resumed.example.com":  testResume,
		"dry.example.com":      testDryRun,
		"denied.example.com":   testDenied,
		"unserved.example.com": testStorageVersionNotServed,
		"rights.example.com":   testRights,
		"owners.example.com":   testOwners,
		disturbing:             testAway,
	}
	in := start(t, append(slices.Sorted(maps.Keys(tests)), many)...)
	t.Run("together", func(t *testing.T) {
		for group, run := range tests {
			if group != disturbing {
				t.Run(group, func(t *testing.T) {
					t.Parallel() // most of the time they wait
					run(t, in(group))
				})
			}
		}
		t.Run("cluster-scoped, without status or webhook", func(t *testing.T) {
			t.Parallel()
			testClusterScoped(t, in(""))
		})
		t.Run("a version that was removed", func(t *testing.T) {
			t.Parallel()
			testRemoved(t, in(""))
		})
	})
	t.Run("writes that change nothing", func(t *testing.T) { testWrites(t, in("")) })
	t.Run(disturbing, func(t *testing.T) { tests[disturbing](t, in(disturbing)) })
	// Hundreds of objects would keep the API server busy long after Crosswalk has gone.
	t.Run(many, func(t *testing.T) { testMany(t, in(many)) })
}

// start starts a scene with the example in groups, and gives the world of each.
func start(t *testing.T, groups ...string) func(group string) *world {
	t.Helper()
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	example, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []harness.Table
	for _, group := range groups {
		table, err := example.InGroup(group, "v1beta1")
		if err != nil {
			t.Fatal(err)
		}
		// A short name is anybody's, and only one group would get it.
		table.CRD.Spec.Names.ShortNames = nil
		tables = append(tables, table)
	}
	scene := stage.Start(t, programs, tables...)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	return func(group string) *world {
		return &world{
			scene:   scene,
			program: programs.Crosswalk,
			crd:     "crontabs." + group,
			beta:    harness.Resource{API: api, Group: group, Version: "v1beta1", Plural: "crontabs", Namespace: "default"},
		}
	}
}

// world is what a test works with.
type world struct {
	scene   *harness.Scene
	program string
	crd     string
	beta    harness.Resource // the CRD's objects in v1beta1
}

// fill creates objects of many kinds of history through v1beta1.
func (w *world) fill(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		w.create(t, w.beta, fmt.Sprintf("job-%04d", i), i)
	}
}

func (w *world) create(t *testing.T, through harness.Resource, name string, i int) {
	t.Helper()
	spec := fmt.Sprintf(`{"cronSpec":"0 2 * * *","image":"example.com/backup:1.4","replicas":%d`, i%10+1)
	if through.Version == "v1beta1" {
		spec += `,"hostPort":"localhost:1234","shell":"/bin/dash"}`
	} else {
		spec += `,"host":"localhost","port":"1234","notify":[]}`
	}
	object := fmt.Sprintf(`{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q,"annotations":{"example.com/owner":"reports"}},"spec":%s}`,
		through.APIVersion(), name, spec)
	if _, err := through.Create(t.Context(), []byte(object)); err != nil {
		t.Fatal(err)
	}
}

// store makes another version the one that is stored.
func (w *world) store(t *testing.T, version string) {
	t.Helper()
	patch := fmt.Sprintf(`[{"op":"replace","path":"/spec/versions/0/storage","value":%t},{"op":"replace","path":"/spec/versions/1/storage","value":%t}]`,
		version == "v1beta1", version == "v1")
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", patch)
}

// waitStored waits until the API server stores new objects in a version.
func (w *world) waitStored(t *testing.T, version string) {
	t.Helper()
	const name = "probe"
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		w.create(t, w.beta, name, 0)
		s, err := w.state(t, name)
		if err == nil && s.version != version {
			err = fmt.Errorf("objects are stored in %s still", s.version)
		}
		if _, deleted := w.beta.Delete(ctx, name); deleted != nil {
			t.Fatal(deleted)
		}
		return err
	})
}

func (w *world) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := w.scene.ControlPlane.Kubectl(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) apply(t *testing.T, manifest string) {
	t.Helper()
	if _, err := w.scene.ControlPlane.KubectlWith(t.Context(), manifest, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
}

func (w *world) wantStoredVersions(t *testing.T, want string) {
	t.Helper()
	if got := w.kubectl(t, "get", "crd", w.crd, "-o", "jsonpath={.status.storedVersions}"); got != want {
		t.Errorf("storedVersions is %s, want %s", got, want)
	}
}

// eventually asks until the answer is nil.
func eventually(t *testing.T, limit time.Duration, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatal(err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
