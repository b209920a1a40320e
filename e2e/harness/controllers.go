package harness

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Controllers are those of kube-controller-manager that touch custom resources,
// in a process of their own.
type Controllers struct{ process *process }

// MigratorFlags are what an API server of Kubernetes 1.36 needs for StorageVersionMigrations,
// which are a beta there and off by default. That of 1.37 takes them, too.
func MigratorFlags() []string {
	return []string{
		"--feature-gates=StorageVersionMigrator=true",
		"--runtime-config=storagemigration.k8s.io/v1beta1=true",
	}
}

// StartControllers starts the garbage collector, the namespace controller, the one that
// aggregates ClusterRoles and the one that makes ServiceAccounts on the control plane,
// with more flags of `controlplane controllers`. It returns when they run, whether or not
// they get on. Their log goes to log.
func (c *ControlPlane) StartControllers(ctx context.Context, log io.Writer, flags ...string) (*Controllers, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(c.programs.ControlPlane, append([]string{"controllers", "--attached", "--kubeconfig", c.Kubeconfig}, flags...)...)
	cmd.Stdout, cmd.Stderr = in, log
	p, err := start("controllers", cmd)
	in.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	ready := make(chan struct{})
	go func() {
		defer out.Close()
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "ready") {
				close(ready)
				return
			}
		}
	}()
	select {
	case <-ready:
		return &Controllers{process: p}, nil
	case <-p.exited:
		return nil, fmt.Errorf("the controllers ended before they were ready: %v", p.err)
	case <-ctx.Done():
		p.kill()
		return nil, fmt.Errorf("the controllers are not ready: %w", ctx.Err())
	}
}

// Stop ends the controllers.
func (c *Controllers) Stop() error { return c.process.stop(30 * time.Second) }
