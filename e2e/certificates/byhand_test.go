package certificates

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestByHand is Crosswalk without crosswalk manage: tables and certificates are
// files, and somebody arms the CRD as examples/crontab/README.md shows.
func TestByHand(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	c.apply(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q}},
  {"apiVersion": "v1", "kind": "Service", "metadata": {"name": %q, "namespace": %q},
   "spec": {"type": "ExternalName", "externalName": "localhost"}}]}`, namespace, service, namespace))

	t.Run("files that somebody keeps", func(t *testing.T) {
		folder, authority := newMount(t), newIssuer(t)
		if err := folder.write(authority.issue(t)); err != nil {
			t.Fatal(err)
		}
		c.testByHand(t, []string{"--certs=folder", "--certs-dir=" + folder.dir}, folder.dir, func() error {
			return folder.write(authority.issue(t))
		})
	})
	t.Run("files that Crosswalk makes", func(t *testing.T) {
		dir := t.TempDir()
		c.testByHand(t, []string{"--certs-dir=" + dir, "--dns-name=" + dnsName}, dir, func() error {
			return errors.Join(os.Remove(filepath.Join(dir, "tls.crt")), os.Remove(filepath.Join(dir, "tls.key")))
		})
	})
}

// testByHand serves, arms, converts, has the leaf renewed and converts on.
func (c cluster) testByHand(t *testing.T, certs []string, dir string, renew func() error) {
	port, fingerprint := c.serveFiles(t, certs)
	bundle, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	crd := c.crontabs(t).CRD
	path, servicePort := "/convert/"+fingerprint, int32(port)
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				Service: &apiextensionsv1.ServiceReference{
					Namespace: namespace, Name: service, Path: &path, Port: &servicePort,
				},
				CABundle: bundle,
			},
		},
	}
	manifest, err := json.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	c.apply(t, string(manifest))
	// What it converts goes with it, before who converts it does.
	t.Cleanup(func() {
		if _, err := c.Kubectl(context.WithoutCancel(t.Context()), "delete", "crd", crd.Name, "--timeout=30s"); err != nil {
			t.Error(err)
		}
	})
	c.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+crd.Name)
	c.wantConversion(t)

	flow := c.startTraffic(t, port)
	before, old := flow.sofar(), servedNow(t, port)
	if err := renew(); err != nil {
		t.Fatal(err)
	}
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		now, err := served(ctx, port)
		if err == nil && bytes.Equal(now, old) {
			err = errors.New("the old certificate is still served")
		}
		return err
	})
	flow.wantNoFailure(t, "the leaf's renewal", before)
	flow.end()
	c.wantConversion(t)
}

func servedNow(t *testing.T, port int) []byte {
	t.Helper()
	certificate, err := served(t.Context(), port)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// serveFiles runs crosswalk serve with the example's files until the test ends. It
// returns the port, and the fingerprint that the log names.
func (c cluster) serveFiles(t *testing.T, certs []string) (port int, fingerprint string) {
	t.Helper()
	port, err := harness.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	health, err := harness.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	log := logFile(t, "crosswalk serve")
	cmd := exec.Command(c.programs.Crosswalk, append([]string{"serve",
		"--config", filepath.Join(c.programs.Root, "examples", "crontab"), "--drain-delay=0s",
		"--listen=127.0.0.1:" + strconv.Itoa(port), "--health-listen=127.0.0.1:" + strconv.Itoa(health),
	}, certs...)...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			t.Errorf("crosswalk serve: %v", err)
		}
	})
	stage.Until(t, 30*time.Second, func(ctx context.Context) error {
		return ready(ctx, "http://127.0.0.1:"+strconv.Itoa(health)+"/readyz")
	})
	return port, loaded(t, log.Name())
}

func ready(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	return nil
}

// loaded reads from a log which table for the CRD is served.
func loaded(t *testing.T, log string) string {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var entry struct{ Msg, CRD, Fingerprint string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "loaded a table" && entry.CRD == crontabsCRD {
			return entry.Fingerprint
		}
	}
	t.Fatalf("%s does not name the table's fingerprint", log)
	return ""
}
