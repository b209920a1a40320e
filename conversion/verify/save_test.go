package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// A counterexample of any CRD is saved with its names, and breaks the law again when it is loaded.
func TestSaveOfAnyCRD(t *testing.T) {
	s := read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml")
	lossy := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
		c, err := Compile(crd, table)
		return losing{c, []byte(`"timeZone"`)}, err
	}
	s, err := NewSubject(s.CRD, s.Table, lossy)
	if err != nil {
		t.Fatal(err)
	}
	found := RunTable(t.Context(), s, lossy, Options{Seed: 1, Objects: 50, Laws: []Law{RoundTrip}}).Found
	if len(found) != 1 {
		t.Fatalf("%d counterexamples", len(found))
	}
	saved, err := found[0].Save()
	if err != nil {
		t.Fatal(err)
	}
	again, c, err := Load(saved, lossy)
	if err != nil {
		t.Fatal(err)
	}
	if again.CRD.Name != s.CRD.Name || again.CRD.Spec.Names.Kind != "CronTab" || again.Check(c) == nil {
		t.Errorf("it is another case: %s", saved)
	}
}

// A counterexample that was saved is the same when it is loaded.
func TestSave(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, c, err := Load(data, compileWithFunctions)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		saved, err := (&Counterexample{Case: c, Subject: s}).Save()
		if err != nil {
			t.Fatal(err)
		}
		again, same, err := Load(saved, compileWithFunctions)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !reflect.DeepEqual(c, same) {
			t.Errorf("%s: %+v\nis saved as %+v", file, c, same)
		}
		for ; s != nil; s, again = s.earlier, again.earlier {
			was, err := json.Marshal([]any{s.CRD, s.Table})
			if err != nil {
				t.Fatal(err)
			}
			is, err := json.Marshal([]any{again.CRD, again.Table})
			if err != nil {
				t.Fatal(err)
			}
			if string(was) != string(is) {
				t.Errorf("%s: %s\nis saved as %s", file, was, is)
			}
		}
	}
}
