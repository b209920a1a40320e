package conversion

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestConversion runs every test with each version stored and, where it writes,
// through each version. They share one control plane, because starting one takes
// longer than most tests.
func TestConversion(t *testing.T) {
	programs := stage.Programs(t)
	tables, samples := readCronTabs(t, programs), readSamples(t)
	scene := stage.Start(t, programs, slices.Concat(tables, samples)...)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range samples {
		t.Run("values, "+table.CRD.Spec.Group, func(t *testing.T) { testValues(t, api, table) })
	}
	var all []variant
	for _, table := range tables {
		for _, via := range versions {
			all = append(all, newVariant(scene, api, table, via))
		}
	}
	for _, v := range all {
		t.Run(v.name(), func(t *testing.T) {
			t.Run("server-side apply", v.testServerSideApply)
			t.Run("server-side apply conflict", v.testServerSideApplyConflict)
		})
	}
	for _, v := range []variant{all[0], all[len(all)-1]} { // one of each group
		t.Run("random sequences, "+v.stored+" stored", func(t *testing.T) { testSequences(t, v) })
	}
	t.Run("Go types", func(t *testing.T) { testTyped(t, scene.ControlPlane) })
	// These disturb everybody, so they come last.
	t.Run("API server restart", func(t *testing.T) { testRestart(t, scene, all) })
	t.Run("Crosswalk away and back", func(t *testing.T) { testAway(t, scene, all) })
	t.Run("API server restart while Crosswalk is down", func(t *testing.T) { testRestartWhileAway(t, scene, all) })
}

// readCronTabs reads the example twice: as it is, with v1 stored, and in another
// group with v1beta1 stored.
func readCronTabs(t *testing.T, programs harness.Programs) []harness.Table {
	t.Helper()
	v1Stored, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	v1Stored = v1Stored.WithoutAdmission() // edits write what the other version cannot show
	v1beta1Stored, err := v1Stored.InGroup("v1beta1-stored.example.com", "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	return []harness.Table{v1Stored, v1beta1Stored}
}
