package harness

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestControlPlaneSaysWhyItFails starts it with flags that cannot work.
func TestControlPlaneSaysWhyItFails(t *testing.T) {
	programs, err := FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no folder", nil, 2, "--dir is missing"},
		{"no such command", []string{"fly"}, 2, `unknown command "fly"`},
		{"a flag that kube-apiserver does not know",
			[]string{"run", "--dir", t.TempDir(), "--", "--no-such-flag"}, 1, "unknown flag: --no-such-flag"},
		{"no time", []string{"run", "--dir", t.TempDir(), "--timeout", "1ms"}, 1, "not ready"},
		{"controllers of no API server", []string{"controllers"}, 2, "--kubeconfig is missing"},
		{"a migrator that watches nothing",
			[]string{"controllers", "--kubeconfig", "/dev/null", "--storage-version-migrator", "--garbage-collector=false"}, 2, "needs --garbage-collector"},
		{"controllers without a kubeconfig", []string{"controllers", "--kubeconfig", "/no/such/file"}, 1, "/no/such/file"},
		{"a folder that cannot be made", []string{"run", "--dir", "/dev/null/x"}, 1, "/dev/null"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			args := test.args
			if args == nil {
				args = []string{"run"}
			}
			cmd := exec.CommandContext(ctx, programs.ControlPlane, args...)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != test.code || !strings.Contains(string(out), test.want) {
				t.Errorf("want code %d and %q, got %v:\n%s", test.code, test.want, err, out)
			}
		})
	}
}
