package certificates

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// TestMain builds what the tests start, which is a matter of a moment where make
// test has built it before. Several tests use it at once.
func TestMain(m *testing.M) {
	if err := buildCertManager(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// buildCertManager compiles e2e/certmanager as e2e/build compiles programs:
// without cgo, and without the race detector, because it is not ours.
func buildCertManager() error {
	programs, err := harness.FindPrograms()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", certManagerProgram(programs), ".")
	cmd.Dir = certManagerModule(programs)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("build e2e/certmanager: %w", err), errors.New(string(said)))
	}
	return nil
}

func certManagerModule(programs harness.Programs) string {
	return filepath.Join(programs.Root, "e2e", "certmanager")
}

func certManagerProgram(programs harness.Programs) string {
	return filepath.Join(programs.Root, "bin", "certmanager")
}
