package files

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// manifest is a Service that leads to loopback, and its namespace.
const manifest = `{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "crosswalk-system"}},
  {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "crosswalk", "namespace": "crosswalk-system"},
   "spec": {"type": "ExternalName", "externalName": "localhost"}}]}`

// TestFiles does what docs/operations.md says for a CRD that is armed by hand.
func TestFiles(t *testing.T) {
	programs := stage.Programs(t)
	ctx := stage.Within(t, 2*time.Minute)
	plane, err := harness.StartControlPlane(ctx, programs.ControlPlane, t.TempDir(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	example := filepath.Join(programs.Root, "examples", "crontab")
	crosswalk, err := harness.StartCrosswalk(ctx, harness.CrosswalkOptions{
		Program: programs.Crosswalk, Dir: t.TempDir(), Config: []string{example}, DNSName: "crosswalk.crosswalk-system.svc",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := crosswalk.Stop(); err != nil {
			t.Error(err)
		}
	})
	kubectl := func(stdin string, args ...string) string {
		t.Helper()
		said, err := plane.KubectlWith(ctx, stdin, args...)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	kubectl(manifest, "apply", "-f", "-")
	kubectl("", "apply", "-f", filepath.Join(example, "crd.yaml"))
	kubectl("", "patch", "crd", "crontabs.stable.example.com", "--type=merge", "--patch="+conversion(t, crosswalk))
	kubectl("", "wait", "--for=condition=Established", "--timeout=30s", "crd/crontabs.stable.example.com")

	// The API server hears of its own CRDs a little later.
	stage.Until(t, 20*time.Second, func(ctx context.Context) error {
		_, err := plane.Kubectl(ctx, "apply", "-f", filepath.Join(example, "objects", "v1beta1.yaml"))
		return err
	})
	read := []string{"get", "crontabs.v1.stable.example.com", "nightly", "-o", "jsonpath={.spec.host} {.spec.port}"}
	if got := kubectl("", read...); got != "localhost 1234" {
		t.Errorf("as v1: %s", got)
	}
	// A restart keeps the authority that the CRD believes.
	if err := crosswalk.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	kubectl("", "patch", "crontabs.v1.stable.example.com", "nightly", "--type=merge", `--patch={"spec": {"port": "99"}}`)
	if got := kubectl("", "get", "crontabs.v1beta1.stable.example.com", "nightly", "-o", "jsonpath={.spec.hostPort}"); got != "localhost:99" {
		t.Errorf("as v1beta1: %s", got)
	}
}

// conversion is a patch that points the CRD at Crosswalk.
func conversion(t *testing.T, c *harness.Crosswalk) string {
	t.Helper()
	ca, err := c.CA()
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := json.Marshal(ca) // base64
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
		"clientConfig": {"service": {"namespace": "crosswalk-system", "name": "crosswalk", "port": %d, "path": "/convert/%s"}, "caBundle": %s}}}}}`,
		c.Port, fingerprint(t, c.Log()), bundle)
}

// fingerprint reads from the log which table was loaded.
func fingerprint(t *testing.T, log string) string {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var entry struct{ Msg, Fingerprint string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "loaded a table" {
			return entry.Fingerprint
		}
	}
	t.Fatalf("no table was loaded: %s", data)
	return ""
}
