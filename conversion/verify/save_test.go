package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

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
