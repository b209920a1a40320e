package crontab

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestCronTab runs every test with each version stored and, where it writes,
// through each version. They share one control plane, because starting one takes
// longer than most tests.
func TestCronTab(t *testing.T) {
	scene, tables := startScene(t)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	var all []variant
	for _, table := range tables {
		for _, via := range versions {
			all = append(all, newVariant(scene, api, table, via))
		}
	}
	for _, v := range all {
		t.Run(v.name(), func(t *testing.T) {
			t.Run("create, get and list", v.testCreate)
			t.Run("watch", v.testWatch)
			t.Run("update", v.testUpdate)
			t.Run("merge patch", v.testMergePatch)
			t.Run("client-side apply", v.testClientSideApply)
			t.Run("server-side apply", v.testServerSideApply)
			t.Run("server-side apply conflict", v.testServerSideApplyConflict)
			t.Run("status", v.testStatus)
			t.Run("scale", v.testScale)
			t.Run("columns", v.testColumns)
			t.Run("delete with a finalizer", v.testDelete)
		})
	}
	for _, v := range []variant{all[0], all[len(all)-1]} { // one of each group
		t.Run("random sequences, "+v.stored+" stored", func(t *testing.T) { testSequences(t, v) })
	}
	// These disturb everybody, so they come last.
	t.Run("API server restart", func(t *testing.T) { testRestart(t, scene, all) })
	t.Run("Crosswalk away and back", func(t *testing.T) { testAway(t, scene, all) })
	t.Run("API server restart while Crosswalk is away", func(t *testing.T) { testRestartWhileAway(t, scene, all) })
}

// startScene starts a scene with the example twice: as it is, with v1 stored, and
// in another group with v1beta1 stored.
func startScene(t *testing.T) (*harness.Scene, []harness.Table) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	v1Stored, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	v1beta1Stored, err := v1Stored.InGroup("v1beta1-stored.example.com", "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	tables := []harness.Table{v1Stored, v1beta1Stored}
	return start(t, programs, tables...), tables
}

// start starts a scene that ends with the test.
func start(t *testing.T, programs harness.Programs, tables ...harness.Table) *harness.Scene {
	scene, err := harness.StartScene(t.Context(), programs, t.TempDir(), tables...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := scene.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(scene.LogEnds())
		}
	})
	return scene
}

// within is the test's context with a limit for what should take a moment.
func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}
