package verify

import (
	"context"
	"os"
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

// TestTables judges tables that people wrote.
func TestTables(t *testing.T) {
	for name, s := range map[string]*Subject{
		"crontab": read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml"),
		"kitchen": read(t, "testdata/kitchen/crd.yaml", "testdata/kitchen/crosswalk.yaml"),
	} {
		t.Run(name, func(t *testing.T) {
			report := RunTable(context.Background(), s, Compile, Options{Seed: 5, Objects: 300})
			if err := report.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
