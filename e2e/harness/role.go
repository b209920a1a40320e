package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Role is a `crosswalk serve` or `crosswalk manage`, which may end and start
// again at the same ports.
type Role struct {
	Port    int // conversion, TLS; 0 where it is manage
	Health  int // health and metrics
	name    string
	program string
	args    []string // those of its Deployment
	own     []string // those of this place: ports, accounts
	log     string
	// kept plays the kubelet: what ends by itself is started again.
	kept bool

	mu       sync.Mutex
	process  *process // nil until it was started
	wanted   bool     // to run: it was started, and not told to end
	restarts int      // because it ended by itself
}

// newRole makes a role that logs to NAME.log in dir. args are its command line, own what
// of it this place decides; the health port is chosen here.
func newRole(name, program, dir string, args []string, own ...string) (*Role, error) {
	health, err := FreePort()
	if err != nil {
		return nil, err
	}
	return &Role{
		Health: health, name: name, program: program, log: filepath.Join(dir, name+".log"),
		args: args, own: append(own[:len(own):len(own)], "--health-listen", loopback(health)),
	}, nil
}

// newServe is newRole for one that answers conversions on port.
func newServe(name, program, dir string, port int, args []string, own ...string) (*Role, error) {
	r, err := newRole(name, program, dir, args, append(own[:len(own):len(own)], "--listen", loopback(port))...)
	if err != nil {
		return nil, err
	}
	r.Port = port
	return r, nil
}

// Beside makes another process with the same command line, which logs to NAME.log beside
// the role's own log. The caller starts and stops it.
func (r *Role) Beside(name string) (*Role, error) {
	return newRole(name, r.program, filepath.Dir(r.log), r.args, r.own...)
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
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wanted {
		return fmt.Errorf("crosswalk %s runs already", r.name)
	}
	return r.launch()
}

func (r *Role) launch() error {
	log, err := os.OpenFile(r.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(r.program, slices.Concat(r.args, r.own)...)
	cmd.Stdout, cmd.Stderr = log, log
	p, err := start("crosswalk "+r.name, cmd)
	if err != nil {
		return err
	}
	r.process, r.wanted = p, true
	if r.kept {
		go r.keep(p)
	}
	return nil
}

// keepDelay is the time between the end of a process and its next start.
const keepDelay = 500 * time.Millisecond

// keep starts the process again if it ends by itself, as a leader does that has
// lost its Lease.
func (r *Role) keep(p *process) {
	<-p.exited
	time.Sleep(keepDelay)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.wanted || r.process != p {
		return
	}
	r.restarts++
	// Where it cannot be started, nobody becomes ready, and a test sees that.
	r.wanted = r.launch() == nil
}

// mostRestarts is how often a process may end by itself while it is waited for.
const mostRestarts = 3

// WaitReady waits until the process says that it is ready.
func (r *Role) WaitReady(ctx context.Context) error {
	_, before := r.current()
	for {
		last := r.ready(ctx)
		if last == nil {
			return nil
		}
		p, restarts := r.current()
		if p == nil {
			return fmt.Errorf("crosswalk %s was not started", r.name)
		}
		select {
		case <-p.exited:
			if !r.kept || restarts-before >= mostRestarts {
				return fmt.Errorf("crosswalk %s ended before it was ready: %v; see %s", r.name, p.err, r.log)
			}
		case <-ctx.Done():
			return fmt.Errorf("crosswalk %s is not ready: %w; see %s", r.name, last, r.log)
		default:
		}
		sleep(ctx, askEvery)
	}
}

// Status is what Linux tells of the process in /proc/PID/status under name, in kB.
func (r *Role) Status(name string) (kilobytes int64, err error) {
	p, _ := r.current()
	if p == nil {
		return 0, fmt.Errorf("crosswalk %s was not started", r.name)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			_, err := fmt.Sscan(value, &kilobytes)
			return kilobytes, err
		}
	}
	return 0, fmt.Errorf("the status of crosswalk %s has no %s", r.name, name)
}

func (r *Role) current() (p *process, restarts int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.process, r.restarts
}

// ready is what keeps the process from being ready.
func (r *Role) ready(ctx context.Context) error {
	_, err := r.health(ctx, "/readyz?verbose")
	return err
}

// Metrics are what Prometheus gets from the process.
func (r *Role) Metrics(ctx context.Context) ([]byte, error) { return r.health(ctx, "/metrics") }

// Checks returns the result of every readiness check, one in a line.
func (r *Role) Checks(ctx context.Context) (string, error) {
	_, body, err := r.ask(ctx, "/readyz?verbose")
	return string(body), err
}

// health is the answer of the health listener.
func (r *Role) health(ctx context.Context, path string) ([]byte, error) {
	resp, body, err := r.ask(ctx, path)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", resp.Status, body)
	}
	return body, nil
}

func (r *Role) ask(ctx context.Context, path string) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+loopback(r.Health)+path, nil)
	if err != nil {
		return nil, nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}

// Running reports whether the process was started and not told to end.
func (r *Role) Running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted
}

// Exited is closed when the process that was started last has ended.
func (r *Role) Exited() <-chan struct{} {
	p, _ := r.current()
	return p.exited
}

// Log is the path of the log of all its runs.
func (r *Role) Log() string { return r.log }

// Stop ends the process as a rollout would.
func (r *Role) Stop() error {
	p := r.dismiss()
	if p == nil || r.kept && p.ended() {
		return nil
	}
	if err := p.stop(60 * time.Second); err != nil {
		return fmt.Errorf("%w; see %s", err, r.log)
	}
	return nil
}

// Kill ends the process as a crash would.
func (r *Role) Kill() {
	if p := r.dismiss(); p != nil {
		p.kill()
	}
}

// Freeze suspends the process, which then neither answers nor ends. [Role.Thaw] continues it.
func (r *Role) Freeze() error { return r.signal(syscall.SIGSTOP) }

// Thaw continues a frozen process.
func (r *Role) Thaw() error { return r.signal(syscall.SIGCONT) }

func (r *Role) signal(s os.Signal) error {
	p, _ := r.current()
	return p.cmd.Process.Signal(s)
}

// dismiss returns the process if it is wanted, which it is no more.
func (r *Role) dismiss() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.wanted {
		return nil
	}
	r.wanted = false
	return r.process
}

// change sets what the next start runs.
func (r *Role) change(program string, args []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.program, r.args = program, args
}

// Restart is Stop and Start.
func (r *Role) Restart(ctx context.Context) error {
	return errors.Join(r.Stop(), r.Start(ctx))
}
