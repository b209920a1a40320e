package certificates

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testByHand is Crosswalk without crosswalk manage: tables and certificates are
// files, and somebody arms the CRD as docs/operations.md says.
func (c cluster) testByHand(t *testing.T) {
	c.apply(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q}},
  {"apiVersion": "v1", "kind": "Service", "metadata": {"name": %q, "namespace": %q},
   "spec": {"type": "ExternalName", "externalName": "localhost"}}]}`, namespace, service, namespace))

	t.Run("files that somebody keeps", func(t *testing.T) {
		folder, authority := newMount(t), newIssuer(t)
		if err := folder.write(authority.issue(t)); err != nil {
			t.Fatal(err)
		}
		c.testArmed(t, c.serveFiles(t, folder.dir), func(string) error { return folder.write(authority.issue(t)) })
	})
	t.Run("files that Crosswalk makes", func(t *testing.T) {
		c.testArmed(t, c.serveFiles(t, ""), func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "tls.crt")), os.Remove(filepath.Join(dir, "tls.key")))
		})
	})
}

// testArmed arms, converts, has the leaf renewed and converts on.
func (c cluster) testArmed(t *testing.T, serve *harness.Crosswalk, renew func(dir string) error) {
	port := serve.Port
	bundle, err := serve.CA()
	if err != nil {
		t.Fatal(err)
	}
	crd := c.crontabs(t).CRD
	path, servicePort := "/convert/"+loaded(t, serve.Log()), int32(port)
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
	if err := renew(serve.Certs); err != nil {
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
	c.wantConverted(t)

	// A restart keeps the authority that the CRD believes.
	if err := serve.Restart(stage.Within(t, 30*time.Second)); err != nil {
		t.Fatal(err)
	}
	c.wantConverted(t)
}

func servedNow(t *testing.T, port int) []byte {
	t.Helper()
	certificate, err := served(t.Context(), port)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// serveFiles runs crosswalk serve with the example's files until the test ends, on
// the certificates in a folder or, without one, on its own.
func (c cluster) serveFiles(t *testing.T, certs string) *harness.Crosswalk {
	t.Helper()
	serve, err := harness.StartCrosswalk(stage.Within(t, 30*time.Second), harness.CrosswalkOptions{
		Program: c.programs.Crosswalk, Dir: t.TempDir(), Certs: certs, DNSName: dnsName,
		Config: []string{filepath.Join(c.programs.Root, "examples", "crontab")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := serve.Stop(); err != nil {
			t.Error(err)
		}
	})
	return serve
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
