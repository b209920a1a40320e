package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// manager is one more crosswalk manage, which stands for election.
type manager struct {
	program string
	args    []string
	log     string
	cmd     *exec.Cmd // nil while it does not run
}

// newManager makes a manager that ends with the test.
func (w *world) newManager(t testing.TB) *manager {
	t.Helper()
	health, err := harness.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	m := &manager{program: w.programs.Crosswalk, log: filepath.Join(t.TempDir(), "manage.log"), args: []string{
		"manage", "--certs=authority", "--kubeconfig", w.Log("manage.kubeconfig"), "--namespace", harness.Namespace,
		"--service-port", strconv.Itoa(w.ServicePort), "--health-listen", fmt.Sprintf("127.0.0.1:%d", health),
	}}
	for _, replica := range w.Serve {
		m.args = append(m.args, "--replica", fmt.Sprintf("127.0.0.1:%d", replica.Port))
	}
	t.Cleanup(func() {
		m.end(t, false)
		if text, err := os.ReadFile(m.log); err == nil && t.Failed() {
			t.Logf("a manager's log:\n%s", text[max(0, len(text)-5000):])
		}
	})
	return m
}

func (m *manager) start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(m.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	m.cmd = exec.Command(m.program, m.args...)
	m.cmd.Stdout, m.cmd.Stderr = log, log
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// end ends the manager: gently, so that it gives its Lease back, or as a crash
// would.
func (m *manager) end(t testing.TB, gently bool) {
	t.Helper()
	if m.cmd == nil {
		return
	}
	signal := syscall.SIGKILL
	if gently {
		signal = syscall.SIGTERM
	}
	if err := m.cmd.Process.Signal(signal); err != nil {
		t.Error(err)
	}
	if err := m.cmd.Wait(); err != nil && gently {
		t.Errorf("manage ended with %v", err)
	}
	m.cmd = nil
}
