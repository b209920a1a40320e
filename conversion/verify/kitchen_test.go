package verify

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// read reads a CRD and its table from two files.
func read(t testing.TB, crdFile, tableFile string) *Subject {
	t.Helper()
	crd, table := &apiextensionsv1.CustomResourceDefinition{}, &v1alpha1.Crosswalk{}
	for file, into := range map[string]any{crdFile: crd, tableFile: table} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(data, into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	s, err := NewSubject(crd, table, Compile)
	if err != nil {
		t.Fatalf("%s: %v", tableFile, err)
	}
	return s
}

// TestTables judges tables that people wrote: every example's, and one that uses
// every mapping.
func TestTables(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("../../examples/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, folder := range append(folders, "testdata/kitchen") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			s := read(t, folder+"/crd.yaml", folder+"/crosswalk.yaml")
			report := RunTable(context.Background(), s, Compile, Options{Seed: 5, Objects: fewer(300)})
			if err := report.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
