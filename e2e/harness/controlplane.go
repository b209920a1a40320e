package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ControlPlane is a running etcd and kube-apiserver.
type ControlPlane struct {
	State
	programs Programs
	dir      string
	process  *process
	ready    chan string // ready lines

	mu      sync.Mutex
	lenient []span // when refusals do not count
}

// State is what the control plane says about itself in its state.json.
type State struct {
	Server       string `json:"server"`
	Etcd         string `json:"etcd"`
	Kubeconfig   string `json:"kubeconfig"`
	CA           string `json:"ca"`
	ClientCert   string `json:"clientCert"`
	ClientKey    string `json:"clientKey"`
	APIServerLog string `json:"apiServerLog"`
	AuditLog     string `json:"auditLog"`
	APIServerPID int    `json:"apiServerPID"`
}

// StartControlPlane starts a control plane in dir, which keeps data, logs and the
// kubeconfig, and waits until it serves. What the program says on standard error goes to
// log. Flags are further ones of kube-apiserver.
func StartControlPlane(ctx context.Context, programs Programs, dir string, log io.Writer, flags ...string) (*ControlPlane, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := append([]string{"run", "--attached", "--dir", dir, "--"}, flags...)
	cmd := exec.Command(programs.ControlPlane, args...)
	cmd.Stdout, cmd.Stderr = in, log
	p, err := start("control plane", cmd)
	in.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	c := &ControlPlane{programs: programs, dir: dir, process: p, ready: make(chan string, 1)}
	go func() {
		defer out.Close()
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "ready ") {
				c.ready <- lines.Text()
			}
		}
	}()
	if err := c.waitReady(ctx); err != nil {
		p.kill()
		return nil, err
	}
	return c, nil
}

// RestartAPIServer ends the API server and starts it again, with nothing in its
// caches, over the same etcd. Its address may change if its port was taken.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	// It knows no roles until it is ready.
	defer c.ExpectRefusals()()
	if _, err := io.WriteString(c.process.stdin, "restart\n"); err != nil {
		return fmt.Errorf("restart the API server: %w", err)
	}
	return c.waitReady(ctx)
}

func (c *ControlPlane) waitReady(ctx context.Context) error {
	select {
	case <-c.ready:
	case <-c.process.exited:
		return fmt.Errorf("control plane in %s ended before it was ready: %v", c.dir, c.process.err)
	case <-ctx.Done():
		return fmt.Errorf("control plane in %s: not ready: %w", c.dir, ctx.Err())
	}
	data, err := os.ReadFile(filepath.Join(c.dir, "state.json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, &c.State)
}

// Exited is closed when the control plane has ended.
func (c *ControlPlane) Exited() <-chan struct{} { return c.process.exited }

// Stop ends the API server, then etcd.
func (c *ControlPlane) Stop() error { return c.process.stop(30 * time.Second) }
