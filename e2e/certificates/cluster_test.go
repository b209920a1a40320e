package certificates

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// The names of deploy/base.
const (
	namespace = "crosswalk-system"
	service   = "crosswalk"
	dnsName   = service + "." + namespace + ".svc"
	serving   = "crosswalk-serving"
	authority = "crosswalk-authority"
)

// cluster is a control plane that ends with the test.
type cluster struct {
	*harness.ControlPlane
	api      *harness.API
	programs harness.Programs
}

func startCluster(t *testing.T) cluster {
	t.Helper()
	c := cluster{programs: stage.Programs(t)}
	var err error
	c.ControlPlane, err = harness.StartControlPlane(t.Context(), c.programs, t.TempDir(), logFile(t, "control plane"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	if c.api, err = c.API(); err != nil {
		t.Fatal(err)
	}
	return c
}

// kubectl runs kubectl and returns what it says, or ends the test.
func (c cluster) kubectl(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.Kubectl(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// apply applies a manifest, or ends the test.
func (c cluster) apply(t *testing.T, manifest string) {
	t.Helper()
	if _, err := c.KubectlWith(t.Context(), manifest, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
}

// logFile is a file for what a program says, whose end is shown if the test
// fails.
func logFile(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of the log of %s:\n%s", name, tail(f.Name()))
		}
		_ = f.Close()
	})
	return f
}

// tail returns the end of a file.
func tail(path string) string {
	const most = 6000
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		_, _ = f.Seek(max(0, size-most), io.SeekStart)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
