package audit

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testStop interrupts an audit after its first finding.
func (w *world) testStop(t *testing.T) {
	cmd := exec.CommandContext(stage.Within(t, time.Minute), w.programs.Crosswalk, "audit", "--quiet", "--page-size=1", "--qps=2", "crontabs")
	cmd.Env = w.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(first, "fail: crontabs.stable.example.com default/both: ") {
		t.Errorf("first it prints %q, %v", first, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	const stopped = "\nnot audited: crontabs.stable.example.com: stopped before all objects were audited\n"
	if !strings.Contains(string(rest), stopped) || strings.Contains(string(rest), "17 objects") {
		t.Errorf("then it prints\n%swant\n%s", rest, stopped)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ends with %v", err)
	}
}
