package aggregated

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// config makes kube-apiserver show a certificate to webhooks: which kubeconfig each plugin
// has. Users in it are named by the webhook's server; * stands for all.
const (
	admissionConfig = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ValidatingAdmissionWebhook
  configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: DIR/webhooks.kubeconfig}
- name: MutatingAdmissionWebhook
  configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: DIR/webhooks.kubeconfig}
`
	webhookConfig = `apiVersion: v1
kind: Config
users:
- {name: "*", user: {client-certificate: DIR/client.crt, client-key: DIR/client.key}}
`
)

// TestByCertificate installs the base, with an API server that shows a certificate: a
// writer is told everything, and who forges a review nothing.
func TestByCertificate(t *testing.T) {
	programs := stage.Programs(t)
	table, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"admission.yaml": admissionConfig, "webhooks.kubeconfig": webhookConfig} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "DIR", dir)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeClient(t, dir)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		APIServerFlags: []string{"--admission-control-config-file=" + filepath.Join(dir, "admission.yaml")},
		ServeFlags:     []string{"--client-ca", filepath.Join(dir, "ca.crt"), "--client-name", "kube-apiserver"},
		Refused:        []string{"serve create subjectaccessreviews"}, // nobody lets policies ask the authorizer
	}, table)
	a := asked{scene}
	stage.AggregateRoles(t, scene)
	a.prepareStrangers(t)
	if said := a.kubectl(t, "", "wait", "--for=condition=Ready", "--timeout=60s", "validationpolicy/telling", "mutationpolicy/giving"); strings.Contains(said, "error") {
		t.Fatal(said)
	}
	stage.Until(t, 30*time.Second, func(context.Context) error { // the API server hears of it
		if said := a.write(t, "told"); !strings.Contains(said, "is planned as swordfish") {
			return fmt.Errorf("a writer is told %s", said)
		}
		if said := a.write(t, "given"); said != "swordfish" {
			return fmt.Errorf("a writer is given %s", said)
		}
		return nil
	})
	for path, name := range map[string]string{"/validate/policies/telling": "told", "/mutate/policies/giving": "given"} {
		if code, said := a.post(t, scene.Serve[0].Port, path, "application/json", forged(name)); code != 200 || strings.Contains(said, "swordfish") || !strings.Contains(said, `"allowed":false`) {
			t.Errorf("a stranger is answered %d %s", code, said)
		}
	}
	a.testAuthorizer(t)
	const want = "Unknown AskedDirectly"
	if said := a.kubectl(t, "", "get", "validationpolicy/telling", "-o", `jsonpath={range .status.conditions[?(@.type=="FullAnswers")]}{.status} {.reason}{end}`); said != want {
		t.Errorf("got %s, want %s", said, want)
	}
}

// testAuthorizer sees that serve may ask what writers may do where it has the right, which
// the base does not give.
func (a asked) testAuthorizer(t *testing.T) {
	const secretive = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: secretive}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs]}]}
  validations: [{expression: "authorizer.group('').resource('secrets').namespace(request.namespace).check('get').allowed()", message: is for who may read Secrets}]`
	a.kubectl(t, secretive, "apply", "-f", "-")
	a.kubectl(t, "", "wait", "--for=condition=Ready", "--timeout=60s", "validationpolicy/secretive")
	until := func(name string, refused bool) {
		t.Helper()
		stage.Until(t, 30*time.Second, func(context.Context) error {
			said := a.write(t, name)
			if refused != strings.Contains(said, "is for who may read Secrets") || !refused && said != "x" {
				return fmt.Errorf("got %s", said)
			}
			return nil
		})
	}
	until("one", true) // as far as serve can tell, nobody may
	a.kubectl(t, "", "create", "clusterrole", "serve-asks", "--verb=create", "--resource=subjectaccessreviews.authorization.k8s.io")
	a.kubectl(t, "", "label", "clusterrole", "serve-asks", "crosswalk.dev/aggregate-to-serve=true")
	until("two", false)
}

// writeClient writes a CA, and a client's certificate of it, with its key.
func writeClient(t *testing.T, dir string) {
	t.Helper()
	ca := certstest.NewCA(t, nil, "webhook clients")
	client := ca.Client(t, "kube-apiserver")
	for name, text := range map[string][]byte{"ca.crt": ca.PEM(), "client.crt": client.PEM(), "client.key": client.KeyPEM(t)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
