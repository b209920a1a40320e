package harness

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a child that is stopped with SIGTERM, and killed if that does not
// end it in time.
type process struct {
	name   string
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	exited chan struct{}
	err    error // how it ended; valid once exited is closed
}

// start starts cmd with a standard input that stays open as long as we live, in
// a process group of its own: Ctrl-C in a terminal must reach us alone, because
// we stop our children in order.
func start(name string, cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, stdin: stdin, exited: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// stop ends the process within grace and reports whether it ended well.
func (p *process) stop(grace time.Duration) error {
	defer p.stdin.Close()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", p.name, err)
	}
	select {
	case <-p.exited:
	case <-time.After(grace):
		p.kill()
		return fmt.Errorf("%s did not end within %s of SIGTERM and was killed", p.name, grace)
	}
	if p.err != nil {
		return fmt.Errorf("%s: %w", p.name, p.err)
	}
	return nil
}

// kill ends the process as a crash would.
func (p *process) kill() {
	// It fails only for a process that has ended already.
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}
