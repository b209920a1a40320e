package certificates

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startCertManager installs cert-manager's CRDs and runs its controllers until
// the test ends.
func (c cluster) startCertManager(t *testing.T) {
	t.Helper()
	module := filepath.Join(c.programs.Root, "e2e", "certmanager")
	program := buildCertManager(t, module, filepath.Join(c.programs.Root, "bin", "certmanager"))
	crds := filepath.Join(goOutput(t, module, "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager"), "deploy", "crds")
	c.kubectl(t, "create", "-f", crds)
	c.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "-f", crds)

	log := logFile(t, "cert-manager")
	cmd := exec.Command(program, "--kubeconfig", c.Kubeconfig)
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

// buildCertManager compiles what has changed, which is nothing after make test
// has built it.
func buildCertManager(t *testing.T, module, program string) string {
	t.Helper()
	goOutput(t, module, "build", "-ldflags=-s -w", "-o", program, ".")
	return program
}

// goOutput runs go in a module's folder, without cgo and without the race
// detector: what it builds is not ours.
func goOutput(t *testing.T, module string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s in %s: %v\n%s", strings.Join(args, " "), module, err, said.String())
	}
	return strings.TrimSpace(string(out))
}
