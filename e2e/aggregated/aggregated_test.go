package aggregated

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestAggregated installs the chart and asks as users do. The overlay that is the same is
// installed by others.
func TestAggregated(t *testing.T) {
	programs := stage.Programs(t)
	table, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Aggregated: true, Install: harness.InstallChart(programs, "aggregated.enabled=true"),
	}, table)
	stage.Healthy(t, scene.ControlPlane.Env())
	a := asked{scene}
	t.Run("the CA", a.testCA)
	t.Run("discovery", a.testDiscovery)
	t.Run("described", a.testDescribed)
	t.Run("create", a.testCreate)
	t.Run("explain", a.testExplain)
	t.Run("wrong questions", a.testWrong)
	t.Run("the right", a.testRight)
	t.Run("a forged header", a.testForged)
	t.Run("strangers", a.testStrangers)
	t.Run("serve is away", a.testAway)
}

type asked struct{ scene *harness.Scene }

// kubectl runs it as whoever the flags say, and returns what it prints, errors included.
func (a asked) kubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	said, err := a.scene.ControlPlane.KubectlWith(t.Context(), stdin, args...)
	if err != nil {
		return err.Error()
	}
	return said
}

// testCA: the certificate is for the name by which the API server calls, and so there is
// nothing to warn of.
func (a asked) testCA(t *testing.T) {
	stage.Until(t, 30*time.Second, func(context.Context) error {
		told := a.kubectl(t, "", "get", "events", "-n", "default", "--field-selector", "involvedObject.kind=APIService",
			"-o", `jsonpath={range .items[*]}{.involvedObject.name}{" "}{.reason}{"\n"}{end}`)
		lines := strings.Split(told, "\n")
		slices.Sort(lines)
		if strings.Join(lines, "\n") != "\nv1alpha1.admission.crosswalk.dev Injected\nv1alpha1.conversion.crosswalk.dev Injected" {
			return fmt.Errorf("events: %s", told)
		}
		return nil
	})
}

const conversion = `
apiVersion: conversion.crosswalk.dev/v1alpha1
kind: Conversion
spec:
  version: v1
  object:
    apiVersion: stable.example.com/v1beta1
    kind: CronTab
    metadata: {name: backup, namespace: default}
    spec: {cronSpec: "0 3 * * *", image: example.com/backup:1, hostPort: "db.example.com:5432"}
`

func (a asked) testDiscovery(t *testing.T) {
	want := "conversions                conversion.crosswalk.dev/v1alpha1   false        Conversion   create   \n"
	said := a.kubectl(t, "", "api-resources", "--api-group=conversion.crosswalk.dev", "-o", "wide")
	if _, line, _ := strings.Cut(said, "\n"); strings.Join(strings.Fields(line), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s", said)
	}
	if said := a.kubectl(t, "", "get", "--raw", "/apis/conversion.crosswalk.dev/v1alpha1"); !strings.Contains(said, `"kind":"Conversion","verbs":["create"]`) {
		t.Errorf("got\n%s", said)
	}
}

// kubectl explain reads what the group says of itself through the API server's OpenAPI v3.
func (a asked) testDescribed(t *testing.T) {
	for path, want := range map[string]string{
		"conversion":                          "Conversion requests one object in another version of its kind.",
		"conversion.spec.version":             "version is the requested version, without the group, such as v1.",
		"conversion.status.steps.places.by":   "by is what has written it:",
		"conversion.status.steps.kept.value":  "value is what is kept.",
		"conversion.metadata.name":            "Name must be unique within a namespace.",
		"conversion.status.steps.dropped.row": "row is the title of the row.",
	} {
		if said := strings.Join(strings.Fields(a.kubectl(t, "", "explain", path)), " "); !strings.Contains(said, want) {
			t.Errorf("%s: got %s", path, said)
		}
	}
	for _, path := range []string{"/openapi/v3/apis/conversion.crosswalk.dev/v1alpha1", "/openapi/v2"} {
		if said := a.kubectl(t, "", "get", "--raw", path); !strings.Contains(said, `"dev.crosswalk.conversion.v1alpha1.Conversion":{`) {
			t.Errorf("%s does not have the kind", path)
		}
	}
}

func (a asked) testCreate(t *testing.T) {
	said := a.kubectl(t, conversion, "create", "-f", "-", "-o", "jsonpath={.status.object.apiVersion} {.status.object.spec.host} {.status.object.spec.port}")
	if said != "stable.example.com/v1 db.example.com 5432" {
		t.Errorf("got %q", said)
	}
}

// The answer says of each place why it is what it is; a raw request gets the same.
func (a asked) testExplain(t *testing.T) {
	question := strings.Replace(conversion, "  version: v1\n", "  version: v1\n  explain: true\n", 1)
	said := a.kubectl(t, question, "create", "-f", "-", "-o", `jsonpath={range .status.steps[*].places[?(@.by=="row")]}{.path} {.row} {.from[0]} {.value};{end}`)
	if want := ".spec.host row 1 .spec.hostPort db.example.com;.spec.port row 1 .spec.hostPort 5432;"; said != want {
		t.Errorf("got %q", said)
	}
	file := filepath.Join(t.TempDir(), "question.json")
	body, err := yaml.YAMLToJSON([]byte(question))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	said = a.kubectl(t, "", "create", "--raw", "/apis/conversion.crosswalk.dev/v1alpha1/conversions", "-f", file)
	if !strings.Contains(said, `{"path":".spec.host","by":"row","row":"row 1","from":[".spec.hostPort"],"value":"db.example.com"}`) {
		t.Errorf("got %s", said)
	}
}

// What is wrong with a question is said where kubectl's users look for it.
func (a asked) testWrong(t *testing.T) {
	for wrong, want := range map[string]string{
		strings.Replace(conversion, "version: v1\n", "version: v2\n", 1): `The Conversion "" is invalid: spec.version: Unsupported value: "v2": supported values: "v1beta1", "v1"`,
		strings.Replace(conversion, "CronTab", "Pod", 1):                 `The Conversion "" is invalid: spec.object.kind: Invalid value: there is no table for the kind Pod of the group "stable.example.com"; "kubectl get crosswalks" lists all tables`,
		strings.Replace(conversion, "version: v1\n", "verison: v1\n", 1): `ValidationError(Conversion.spec): unknown field "verison"`,
	} {
		if said := a.kubectl(t, wrong, "create", "-f", "-"); !strings.Contains(said, want) {
			t.Errorf("got %s, want %s", said, want)
		}
	}
	if said := a.kubectl(t, "", "get", "conversions"); !strings.Contains(said, "MethodNotAllowed") {
		t.Errorf("got %s", said)
	}
}

// A user needs the right, and it is all that he needs.
func (a asked) testRight(t *testing.T) {
	// Of kinds that cannot be patched, as SubjectAccessReview and this one, kubectl asks
	// whether a CRD has them, before it creates one.
	as := []string{"create", "-f", "-", "-o", "jsonpath={.status.object.spec.host}", "--as=dana", "--validate=false"}
	want := `conversions.conversion.crosswalk.dev is forbidden: User "dana" cannot create resource "conversions" in API group "conversion.crosswalk.dev" at the cluster scope`
	if said := a.kubectl(t, conversion, as...); !strings.Contains(said, want) {
		t.Errorf("got %s", said)
	}
	a.kubectl(t, "", "create", "clusterrolebinding", "dana-converts", "--clusterrole=crosswalk-convert", "--user=dana")
	stage.Until(t, 30*time.Second, func(context.Context) error { // serve remembers a no for ten seconds
		if said := a.kubectl(t, conversion, as...); said != "db.example.com" {
			return fmt.Errorf("got %s", said)
		}
		return nil
	})
}

// Whoever reaches serve without the API server and names an administrator is nobody.
func (a asked) testForged(t *testing.T) {
	if code, said := a.post(t, a.scene.AggregatedPort, "/apis/conversion.crosswalk.dev/v1alpha1/conversions", "application/yaml", conversion); code != http.StatusUnauthorized {
		t.Errorf("%d: %s", code, said)
	}
}

// client believes serve's certificate.
func (a asked) client(t *testing.T) *http.Client {
	t.Helper()
	bundle := a.kubectl(t, "", "get", "secret", "-n", harness.Namespace, "crosswalk-serving", "-o", `go-template={{index .data "ca.crt" | base64decode}}`)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(bundle)) {
		t.Fatalf("no bundle: %s", bundle)
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "crosswalk." + harness.Namespace + ".svc"}}}
}

// While serve is away the API server does not know what the group has, and who deletes a
// namespace waits for that. It goes on by itself.
func (a asked) testAway(t *testing.T) {
	controllers, err := a.scene.ControlPlane.StartControllers(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := controllers.Stop(); err != nil {
			t.Error(err)
		}
	})
	a.kubectl(t, "", "create", "namespace", "doomed")
	if err := a.scene.Serve[0].Stop(); err != nil {
		t.Fatal(err)
	}
	a.kubectl(t, "", "wait", "--for=condition=Available=false", "--timeout=60s", "apiservice/v1alpha1.conversion.crosswalk.dev")
	a.kubectl(t, "", "delete", "namespace", "doomed", "--wait=false")
	if said := a.kubectl(t, "", "wait", "--for=condition=NamespaceDeletionDiscoveryFailure", "--timeout=60s", "namespace/doomed"); !strings.Contains(said, "condition met") {
		t.Error(said)
	}
	if err := a.scene.StartCrosswalk(t.Context()); err != nil {
		t.Fatal(err)
	}
	if said := a.kubectl(t, "", "wait", "--for=delete", "--timeout=90s", "namespace/doomed"); strings.Contains(said, "error") {
		t.Error(said)
	}
}
