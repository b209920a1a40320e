package harness

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFindProgramsOfAnotherRelease names what builds the programs that are missing.
func TestFindProgramsOfAnotherRelease(t *testing.T) {
	t.Setenv(KubernetesVariable, "1.1")
	_, err := FindPrograms()
	if err == nil || !strings.Contains(err.Error(), filepath.Join("bin", "kubernetes-1.1", "controlplane")) ||
		!strings.Contains(err.Error(), "; build it with `go run ./build -kubernetes 1.1` in ") {
		t.Errorf("got %v", err)
	}
}
