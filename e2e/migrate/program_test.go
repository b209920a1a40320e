package migrate

import (
	"bytes"
	"errors"
	"os/exec"
	"sync"
	"syscall"
	"testing"
)

// run is a run of crosswalk migrate.
type run struct {
	cmd         *exec.Cmd
	out, errors buffer
}

// ended is what a run left.
type ended struct {
	code        int
	out, errors string
}

// begin starts crosswalk migrate, with the control plane's kubeconfig.
func (w *world) begin(t *testing.T, args ...string) *run {
	t.Helper()
	r := &run{cmd: exec.Command(w.program, append([]string{"migrate"}, args...)...)}
	r.cmd.Env = w.scene.ControlPlane.Env()
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.errors
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if r.cmd.ProcessState == nil {
			r.cmd.Process.Kill()
			r.cmd.Wait()
		}
	})
	return r
}

// stop sends the signal of Ctrl-C.
func (r *run) stop(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func (r *run) wait(t *testing.T) ended {
	t.Helper()
	err := r.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return ended{r.cmd.ProcessState.ExitCode(), r.out.String(), r.errors.String()}
}

func (w *world) migrate(t *testing.T, args ...string) ended {
	t.Helper()
	return w.begin(t, args...).wait(t)
}

func (e ended) want(t *testing.T, want ended) {
	t.Helper()
	if e.code != want.code || e.out != want.out || e.errors != want.errors {
		t.Errorf("got %d\n%s%s\nwant %d\n%s%s", e.code, e.out, e.errors, want.code, want.out, want.errors)
	}
}

// buffer may be read while a process writes to it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
