package monitoring

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestStatusesAreMetrics follows statuses in what Prometheus gets of manage.
func TestStatusesAreMetrics(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.Start(t, programs)
	leader := scene.Manage
	// shows waits until the statuses of one object are these lines.
	shows := func(kind, name string, lines ...string) {
		t.Helper()
		prefix := fmt.Sprintf(`crosswalk_condition{kind="%s",name="%s",`, kind, name)
		stage.Until(t, 30*time.Second, func(ctx context.Context) error {
			text, err := leader.Metrics(ctx)
			if err != nil {
				return err
			}
			var got []string
			for line := range strings.Lines(string(text)) {
				if rest, found := strings.CutPrefix(line, prefix); found && strings.Contains(rest, `,type="Ready"}`) {
					got = append(got, strings.TrimSpace(rest))
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(lines) {
				return fmt.Errorf("%s %s: got %q, want %q", kind, name, got, lines)
			}
			return nil
		})
	}
	kubectl := func(stdin string, args ...string) {
		t.Helper()
		if _, err := scene.ControlPlane.KubectlWith(t.Context(), stdin, args...); err != nil {
			t.Fatal(err)
		}
	}
	shows("Crosswalk", "canaries.crosswalk.dev", `reason="Ready",type="Ready"} 1`)
	crontab := filepath.Join(programs.Root, "examples", "crontab")
	kubectl("", "apply", "-f", filepath.Join(crontab, "crosswalk.yaml"))
	shows("Crosswalk", "crontabs.stable.example.com", `reason="NoCRD",type="Ready"} 0`)
	kubectl("", "apply", "-f", filepath.Join(crontab, "crd.yaml"))
	shows("Crosswalk", "crontabs.stable.example.com", `reason="Ready",type="Ready"} 1`)
	const policy = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: short}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
  validations: [{expression: object.metadata.name.size() < 90, message: too long}]
`
	kubectl(policy, "apply", "-f", "-")
	shows("ValidationPolicy", "short", `reason="Registered",type="Ready"} 1`)
	kubectl("", "delete", "validationpolicy", "short")
	shows("ValidationPolicy", "short")

	// A replica that does not lead shows nothing, so that an alert can tell that none does.
	second, err := leader.Beside("manage-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := second.Stop(); err != nil {
			t.Error(err)
		}
	})
	text, err := second.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `crosswalk_readiness{check="cluster"} 1`) || strings.Contains(string(text), "crosswalk_condition{") {
		t.Errorf("while another leads, the metrics are\n%s", text)
	}
	if err := leader.Stop(); err != nil {
		t.Fatal(err)
	}
	leader = second
	shows("Crosswalk", "crontabs.stable.example.com", `reason="Ready",type="Ready"} 1`)
}
