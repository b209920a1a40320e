package systems

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestSystems runs every test on every example, through every version and with
// every version stored. They share one control plane, because starting one takes
// longer than most tests.
func TestSystems(t *testing.T) {
	programs := stage.Programs(t)
	examples := readExamples(t, programs.Root)
	tables := map[*example][]harness.Table{}
	var all []harness.Table
	for _, e := range examples {
		tables[e] = e.variants(t)
		all = append(all, tables[e]...)
	}
	scene := stage.Start(t, programs, all...)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	// Each has a namespace of its own.
	for _, e := range examples {
		if _, err := scene.ControlPlane.Kubectl(t.Context(), "create", "namespace", e.name); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			t.Run("files", func(t *testing.T) { testFiles(t, programs, e) })
			v := newVariant(e, scene, api, e.table)
			// It tries all objects that there are, so it comes before they are many.
			t.Run("verify", func(t *testing.T) { v.testVerify(t, programs) })
			t.Run("stored", func(t *testing.T) {
				for _, table := range tables[e] {
					v := newVariant(e, scene, api, table)
					t.Run(v.stored, func(t *testing.T) {
						t.Parallel()
						v.testOperations(t)
					})
				}
			})
			t.Run("names", v.testNames)
			t.Run("discovery", v.testDiscovery)
			t.Run("explain", v.testExplain)
			t.Run("REST mapping", v.testMapping)
			t.Run("storage version", v.testStorage) // It changes the CRD, so it comes last.
		})
	}
}

// testOperations does to objects all that can be done. Under -short, which is for
// make test, an example of many versions is created, read and patched with those
// stored that stand between the first and the last, and no more.
func (v variant) testOperations(t *testing.T) {
	t.Run("create, get and list", v.testCreate)
	t.Run("patch", v.testPatch)
	if testing.Short() && v.between() {
		return
	}
	t.Run("watch", v.testWatch)
	t.Run("update", v.testUpdate)
	t.Run("client-side apply", v.testClientSideApply)
	t.Run("server-side apply", v.testServerSideApply)
	t.Run("applying less", v.testLess)
	t.Run("moved manifest", v.testMovedManifest)
	t.Run("status", v.testStatus)
	if v.scaleOf(v.stored) != nil {
		t.Run("scale", v.testScale)
	}
	t.Run("columns", v.testColumns)
	t.Run("unknown fields", v.testUnknown)
	t.Run("finalizers", v.testFinalizers)
}

// between reports whether the stored version is one of many, and neither the first nor
// the last.
func (v variant) between() bool {
	all := v.crd.Spec.Versions
	return len(all) > 3 && v.stored != all[0].Name && v.stored != all[len(all)-1].Name
}
