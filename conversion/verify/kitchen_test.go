package verify

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// fewer is a 24th of n under -short, which is for the race detector: with it a case
// takes six times as long, and it looks for other mistakes.
func fewer(n int) int {
	if testing.Short() {
		return max(n/24, 1)
	}
	return n
}

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
	tables, err := filepath.Glob("../../examples/*/crosswalk.yaml")
	if err != nil || len(tables) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, table := range append(tables, "testdata/kitchen/crosswalk.yaml") {
		folder := filepath.Dir(table)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			s := read(t, folder+"/crd.yaml", table)
			if s.Table.Name == "kitchens.example.com" {
				usesEveryMapping(t, s.Table)
			}
			report := RunTable(context.Background(), s, Compile, Options{Seed: 5, Objects: fewer(80)})
			if err := report.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// usesEveryMapping holds the table to what its first line says: of every member of a
// row there is one, but for func, which no program has.
func usesEveryMapping(t *testing.T, table *v1alpha1.Crosswalk) {
	t.Helper()
	used := map[string]bool{"Func": true}
	for _, r := range allRows(table) {
		v := reflect.ValueOf(r)
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				used[v.Type().Field(i).Name] = true
			}
		}
	}
	of := reflect.TypeFor[v1alpha1.Row]()
	for i := range of.NumField() {
		if name := of.Field(i).Name; !used[name] {
			t.Errorf("no row of the kitchen has %s", name)
		}
	}
}

func allRows(table *v1alpha1.Crosswalk) (all []v1alpha1.Row) {
	var walk func(rows []v1alpha1.Row)
	walk = func(rows []v1alpha1.Row) {
		for _, r := range rows {
			all = append(all, r)
			for _, inner := range r.Inner() {
				walk(*inner.Rows)
			}
		}
	}
	for _, v := range table.Spec.Versions {
		walk(v.Rows)
		for _, rows := range v.Tables {
			walk(rows)
		}
	}
	return all
}
