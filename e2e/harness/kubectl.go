package harness

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// KubectlError is the error of a kubectl that failed.
type KubectlError struct {
	Args []string
	Err  error
	// Said is what it wrote to standard error.
	Said string
}

func (e *KubectlError) Error() string {
	return fmt.Sprintf("kubectl %s: %v: %s", strings.Join(e.Args, " "), e.Err, e.Said)
}

// Unwrap gives how it ended.
func (e *KubectlError) Unwrap() error { return e.Err }

// Kubectl runs kubectl against the control plane and returns its standard output. The
// error is a *KubectlError.
func (c *ControlPlane) Kubectl(ctx context.Context, args ...string) (string, error) {
	return c.KubectlWith(ctx, "", args...)
}

// KubectlWith is Kubectl with stdin as its standard input.
func (c *ControlPlane) KubectlWith(ctx context.Context, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.programs.Kubectl, args...)
	cmd.Env = c.Env()
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), &KubectlError{args, err, errs.String()}
	}
	return out.String(), nil
}

// Env is the environment of this process with the control plane's kubeconfig, with
// kubectl's caches in the control plane's folder, so that neither a user's
// own cluster nor an earlier control plane is ever seen, and with its etcd.
func (c *ControlPlane) Env() []string {
	return append(os.Environ(),
		"KUBECONFIG="+c.Kubeconfig,
		"KUBECACHEDIR="+filepath.Join(c.dir, "kubectl-cache"),
		"KUBERC=off",
		"ETCDCTL_ENDPOINTS="+c.Etcd,
	)
}

// LinkClients makes links to kubectl and etcdctl in the folder dir, which then has
// nothing else of ours, for scripts that find them by PATH.
func (c *ControlPlane) LinkClients(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, program := range []string{c.programs.Kubectl, c.programs.Etcdctl} {
		path := filepath.Join(dir, filepath.Base(program))
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
		if _, err := os.Stat(program); err != nil {
			return err
		}
		if err := os.Symlink(program, path); err != nil {
			return err
		}
	}
	return nil
}
