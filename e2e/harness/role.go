package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Role is a `crosswalk serve` or `crosswalk manage`, which may end and start
// again at the same ports.
type Role struct {
	Port    int // conversion, TLS; 0 where it is manage
	Health  int // health and metrics
	name    string
	program string
	args    []string
	log     string
	process *process // nil until it was started
}

// newRole makes a role that logs to NAME.log in dir. args are its command line;
// the health port is chosen here.
func newRole(name, program, dir string, args ...string) (*Role, error) {
	health, err := FreePort()
	if err != nil {
		return nil, err
	}
	return &Role{
		Health: health, name: name, program: program, log: filepath.Join(dir, name+".log"),
		args: append(args[:len(args):len(args)], "--health-listen", loopback(health)),
	}, nil
}

// newServe is newRole for one that answers conversions on port.
func newServe(name, program, dir string, port int, args ...string) (*Role, error) {
	r, err := newRole(name, program, dir, append(args[:len(args):len(args)], "--listen", loopback(port))...)
	if err != nil {
		return nil, err
	}
	r.Port = port
	return r, nil
}

// Start starts the process and waits until it says that it is ready.
func (r *Role) Start(ctx context.Context) error {
	if err := r.Launch(); err != nil {
		return err
	}
	return r.WaitReady(ctx)
}

// Launch starts the process.
func (r *Role) Launch() error {
	if r.Running() {
		return fmt.Errorf("crosswalk %s runs already", r.name)
	}
	log, err := os.OpenFile(r.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(r.program, r.args...)
	cmd.Stdout, cmd.Stderr = log, log
	r.process, err = start("crosswalk "+r.name, cmd)
	return err
}

// WaitReady waits until the process says that it is ready.
func (r *Role) WaitReady(ctx context.Context) error {
	for {
		last := r.ready(ctx)
		if last == nil {
			return nil
		}
		select {
		case <-r.process.exited:
			return fmt.Errorf("crosswalk %s ended before it was ready: %v; see %s", r.name, r.process.err, r.log)
		case <-ctx.Done():
			return fmt.Errorf("crosswalk %s is not ready: %w; see %s", r.name, last, r.log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ready is what keeps the process from being ready.
func (r *Role) ready(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+loopback(r.Health)+"/readyz?verbose", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, body)
	}
	return nil
}

// Running says whether the process runs.
func (r *Role) Running() bool {
	if r.process == nil {
		return false
	}
	select {
	case <-r.process.exited:
		return false
	default:
		return true
	}
}

// Exited is closed when the process that was started last has ended.
func (r *Role) Exited() <-chan struct{} { return r.process.exited }

// Log is the path of the log of all its runs.
func (r *Role) Log() string { return r.log }

// Stop ends the process as a rollout would.
func (r *Role) Stop() error {
	if r.process == nil {
		return nil
	}
	if err := r.process.stop(60 * time.Second); err != nil {
		return fmt.Errorf("%w; see %s", err, r.log)
	}
	return nil
}

// Kill ends the process as a crash would.
func (r *Role) Kill() {
	if r.process != nil {
		r.process.kill()
	}
}

// Restart is Stop and Start.
func (r *Role) Restart(ctx context.Context) error {
	return errors.Join(r.Stop(), r.Start(ctx))
}

// FreePort returns a TCP port of 127.0.0.1 that nobody listens on.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", loopback(0))
	if err != nil {
		return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
