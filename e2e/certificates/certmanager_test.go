package certificates

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
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

// certManager is a running cert-manager.
type certManager struct {
	mu sync.Mutex
	// settled are the resourceVersions that cainjector knows for sure, by kind and name.
	settled map[string]string
}

// startCertManager installs cert-manager's CRDs and runs its controllers until
// the test ends.
func (c cluster) startCertManager(t *testing.T) *certManager {
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
	m := &certManager{settled: map[string]string{}}
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() {
		m.read(stdout, ready)
		close(ended)
	}()
	t.Cleanup(func() { endCertManager(t, cmd, stdin, ended) })
	select {
	case <-ready:
	case <-ended:
		t.Fatalf("cert-manager ended before it was ready; the end of its log:\n%s", tail(log.Name()))
	case <-time.After(time.Minute):
		t.Fatalf("cert-manager is not ready; the end of its log:\n%s", tail(log.Name()))
	}
	return m
}

// read reads what the program prints, until it ends.
func (m *certManager) read(stdout io.Reader, ready chan<- struct{}) {
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		var kind, name, version string
		switch n, _ := fmt.Sscanf(lines.Text(), "settled %s %s %s", &kind, &name, &version); {
		case n == 3:
			m.mu.Lock()
			m.settled[kind+" "+name] = version
			m.mu.Unlock()
		case lines.Text() == "ready":
			close(ready)
		}
	}
}

// waitSettled waits until cainjector knows an object as it is. Before that, it may add a
// certificate to a bundle that it has read earlier, and what was added since is lost.
func (m *certManager) waitSettled(t *testing.T, c cluster, i injectable) {
	t.Helper()
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		now, err := c.injected(ctx, i)
		if err != nil {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if known := m.settled[i.kind+" "+i.name]; known != now.resourceVersion {
			return fmt.Errorf("cainjector knows %s %s of resourceVersion %q, and it has %q", i.kind, i.name, known, now.resourceVersion)
		}
		return nil
	})
}

// endCertManager ends the program as its parent's death would.
func endCertManager(t *testing.T, cmd *exec.Cmd, stdin io.Closer, ended <-chan struct{}) {
	late := time.AfterFunc(30*time.Second, func() {
		t.Error("cert-manager did not end with its standard input and was killed")
		_ = cmd.Process.Kill()
	})
	defer late.Stop()
	_ = stdin.Close()
	<-ended // all that it prints has to be read before Wait
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
