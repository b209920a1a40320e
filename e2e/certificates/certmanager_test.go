package certificates

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certManagerModule is the module that bin/certmanager is built of.
func (c cluster) certManagerModule() string {
	return filepath.Join(c.programs.Root, "e2e", "certmanager")
}

// certManagerProgram is bin/certmanager.
func (c cluster) certManagerProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(c.programs.Root, "bin", "certmanager")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; build it with `go run ./build certmanager` in %s", err, filepath.Join(c.programs.Root, "e2e"))
	}
	return path
}

// startCertManager installs cert-manager's CRDs and runs its controllers until
// the test ends.
func (c cluster) startCertManager(t *testing.T) {
	t.Helper()
	crds := filepath.Join(c.certManagerSources(t), "deploy", "crds")
	c.kubectl(t, "create", "-f", crds)
	c.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "-f", crds)

	log := logFile(t, "cert-manager")
	cmd := exec.Command(c.certManagerProgram(t), "--kubeconfig", c.Kubeconfig)
	cmd.Stderr = log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		said <- line
	}()
	t.Cleanup(func() { endCertManager(t, cmd, stdin) })
	select {
	case line := <-said:
		if line != "ready\n" {
			t.Fatalf("cert-manager ended before it was ready; the end of its log:\n%s", tail(log.Name()))
		}
	case <-time.After(time.Minute):
		t.Fatalf("cert-manager is not ready; the end of its log:\n%s", tail(log.Name()))
	}
}

// endCertManager ends the program as its parent's death would.
func endCertManager(t *testing.T, cmd *exec.Cmd, stdin io.Closer) {
	late := time.AfterFunc(30*time.Second, func() {
		t.Error("cert-manager did not end with its standard input and was killed")
		_ = cmd.Process.Kill()
	})
	defer late.Stop()
	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("cert-manager: %v", err)
	}
}

// certManagerSources is where the go command keeps the module that the program is
// built of.
func (c cluster) certManagerSources(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager")
	cmd.Dir = c.certManagerModule()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("find cert-manager's module: %v: %s", err, said.String())
	}
	return strings.TrimSpace(string(out))
}
