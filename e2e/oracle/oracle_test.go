package oracle

import (
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// How many objects of each kind are compared, half of them in either version. With
// -short only what always shows is seen, so rare differences may be missing.
const (
	count      = 10_000
	shortCount = 400
)

// seed is any number: the same one gives the same objects.
const seed = 1

// TestAgainstKubernetes compares what the other version shows with what Kubernetes'
// converter makes of the same object, asks both for the object back, and wants
// Crosswalk to give back every byte of it.
func TestAgainstKubernetes(t *testing.T) {
	tables, err := filepath.Glob("*/crosswalk.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) < 3 {
		t.Fatalf("only %d tables", len(tables))
	}
	program := findProgram(t)
	for _, table := range tables {
		dir := filepath.Dir(table)
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			converter := compile(t, program, dir)
			found := newFindings(t, dir)
			n := count
			if testing.Short() {
				n = shortCount
			}
			program.cases(t, dir, n, func(c oracleCase) { compare(t, converter, c, found) })
			found.judge(t)
		})
	}
}

// compile compiles the table of a folder for the CRD that Kubernetes publishes.
func compile(t *testing.T, program oracleProgram, dir string) *conversion.Converter {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	decode(t, program.run(t, "crd", dir), &crd)
	var table v1alpha1.Crosswalk
	decode(t, read(t, dir, "crosswalk.yaml"), &table)
	converter, err := conversion.Compile(&crd, &table)
	if err != nil {
		t.Fatal(err)
	}
	return converter
}

// compare notes where Crosswalk and Kubernetes differ on one object.
func compare(t *testing.T, converter *conversion.Converter, c oracleCase, found *findings) {
	t.Helper()
	there, err := converter.Convert(nil, c.Object, c.To)
	if err != nil {
		t.Fatal(err)
	}
	back, err := converter.Convert(nil, there, c.From)
	if err != nil {
		t.Fatal(err)
	}
	if !same(t, back, c.Object) {
		t.Fatalf("not the same after a round trip from %s\nobject    %s\nconverted %s\nback      %s", c.From, c.Object, there, back)
	}
	view, err := conversion.Strip(nil, there)
	if err != nil {
		t.Fatal(err)
	}
	found.views.note(t, c, c.Converted, view)
	if c.Back != nil {
		found.losses.note(t, c, c.Back, c.Object)
	}
}
