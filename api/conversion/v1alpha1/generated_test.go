package v1alpha1_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What is generated is what make generate would write today.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	// The go command caches the result of a test by the files that the test reads
	// itself, not by those that its children read: so look at the source.
	for _, folder := range []string{".", "../../../internal/tools"} {
		if _, err := os.ReadDir(folder); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	for _, args := range [][]string{
		{"controller-gen", "object", "paths=./api/conversion/v1alpha1", "output:object:dir=" + out},
		{"openapi-gen", "--output-dir", out, "--output-file", "zz_generated.openapi.go",
			"--output-pkg", "github.com/crosswalk-dev/crosswalk/internal/aggregated", "./api/conversion/v1alpha1"},
	} {
		command := exec.Command("go", append([]string{"tool", "-modfile=internal/tools/go.mod"}, args...)...)
		command.Dir = root
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command.Args, err, text)
		}
	}
	for generated, committed := range map[string]string{
		"zz_generated.deepcopy.go": "api/conversion/v1alpha1/zz_generated.deepcopy.go",
		"zz_generated.openapi.go":  "internal/aggregated/zz_generated.openapi.go",
	} {
		want, err := os.ReadFile(filepath.Join(out, generated))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, committed))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its source says: run make generate", committed)
		}
	}
}
