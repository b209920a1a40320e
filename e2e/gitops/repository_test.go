package gitops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const crontabs = "crontabs.stable.example.com"

// render is what a repository's folder with all of Crosswalk renders to.
func render(ctx context.Context, programs harness.Programs, plane *harness.ControlPlane) ([]*unstructured.Unstructured, error) {
	rendered, err := plane.Kubectl(ctx, "kustomize", filepath.Join(programs.Root, "deploy", "overlays", "aggregated"))
	if err != nil {
		return nil, err
	}
	return ssautils.ReadObjects(strings.NewReader(rendered))
}

// asInstalled is what is rendered, as a scene has it, which leads Services to loopback.
func asInstalled(t *testing.T, scene *harness.Scene, rendered []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var installed []*unstructured.Unstructured
	for _, object := range rendered {
		switch object.GetKind() {
		case "Service":
			continue
		case "APIService":
			if err := unstructured.SetNestedField(object.Object, int64(scene.AggregatedPort), "spec", "service", "port"); err != nil {
				t.Fatal(err)
			}
		}
		installed = append(installed, object)
	}
	return installed
}

// read reads the objects of files, which are named from the repository's root.
func read(t *testing.T, programs harness.Programs, names ...string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(programs.Root, name))
		if err != nil {
			t.Fatal(err)
		}
		found, err := ssautils.ReadObjects(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, found...)
	}
	return objects
}

// webhooks asks for a CA bundle, and nobody asks them.
const webhooks = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: reports
  annotations: {crosswalk.dev/inject-ca: "true"}
webhooks:
- name: reports.example.com
  clientConfig: {service: {namespace: default, name: reports}}
  rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [reports]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// kinds are the CRD, Crosswalk and policies of an example, which come before objects, and
// webhooks.
func kinds(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	found := read(t, programs, "examples/crontab/crd.yaml", "examples/crontab/crosswalk.yaml", "examples/crontab/policies.yaml",
		"deploy/components/injection/rbac.yaml")
	asking, err := ssautils.ReadObjects(strings.NewReader(webhooks))
	if err != nil {
		t.Fatal(err)
	}
	return append(found, asking...)
}

// managed are those of them whose status crosswalk manage writes.
func managed(t *testing.T, kinds []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var ours []*unstructured.Unstructured
	for _, object := range kinds {
		if object.GroupVersionKind().Group == "crosswalk.dev" {
			ours = append(ours, object)
		}
	}
	if len(ours) != 5 {
		t.Fatalf("there are %d Crosswalks and policies", len(ours))
	}
	return ours
}

// objects are some of both versions; some hold what the other version cannot.
func objects(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	var found []*unstructured.Unstructured
	for _, name := range []string{"v1.yaml", "v1beta1.yaml", "v1-only.yaml", "v1beta1-only.yaml"} {
		found = append(found, read(t, programs, "examples/crontab/objects/"+name)...)
	}
	for _, object := range found {
		object.SetNamespace("default")
		// Both files have the same names.
		object.SetName(object.GetName() + "-" + object.GroupVersionKind().Version)
	}
	return found
}

// nightly is the object of v1beta1 that somebody else changes, too.
const nightly = "crontabs.v1.stable.example.com/nightly-v1beta1"

// written lets crosswalk manage write the last of what it writes, and somebody else what
// v1beta1 cannot show, so that Crosswalk has written everywhere.
func written(t *testing.T, plane *harness.ControlPlane) {
	t.Helper()
	if _, err := plane.Kubectl(t.Context(), "patch", nightly, "--type=merge", "--patch", `{"spec": {"timeZone": "Europe/Oslo"}}`); err != nil {
		t.Fatal(err)
	}
	for place, object := range map[string]string{
		`{.metadata.annotations.stash\.crosswalk\.dev/v1}`: "crontabs.v1beta1.stable.example.com/nightly-v1beta1",
		"{.webhooks[0].clientConfig.caBundle}":             "validatingwebhookconfiguration/reports",
		"{.spec.caBundle}":                                 "apiservice/v1alpha1.conversion.crosswalk.dev",
		"{.spec.conversion.webhook.clientConfig.caBundle}": "crd/" + crontabs,
	} {
		stage.Until(t, 30*time.Second, func(ctx context.Context) error {
			said, err := plane.Kubectl(ctx, "get", object, "-o", "jsonpath="+place)
			if err == nil && said == "" {
				err = fmt.Errorf("%s has nothing at %s", object, place)
			}
			return err
		})
	}
}

// changed are the objects with a change in the one that somebody else has changed.
func changed(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var next []*unstructured.Unstructured
	for _, object := range objects {
		object = object.DeepCopy()
		if object.GetName() == "nightly-v1beta1" {
			if err := unstructured.SetNestedField(object.Object, "example.com:443", "spec", "hostPort"); err != nil {
				t.Fatal(err)
			}
		}
		next = append(next, object)
	}
	return next
}

// wantChanged fails where the change has not come, or has taken what v1beta1 cannot show.
func wantChanged(t *testing.T, plane *harness.ControlPlane) {
	t.Helper()
	said, err := plane.Kubectl(t.Context(), "get", nightly, "-o", "jsonpath={.spec.host} {.spec.port} {.spec.timeZone}")
	if err != nil || said != "example.com 443 Europe/Oslo" {
		t.Errorf("%s is %q (%v)", nightly, said, err)
	}
}

// withConversion is a CRD as a generator may write it.
func withConversion(t *testing.T, crd *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	crd = crd.DeepCopy()
	if err := unstructured.SetNestedField(crd.Object, "None", "spec", "conversion", "strategy"); err != nil {
		t.Fatal(err)
	}
	return crd
}

// wantConverted fails where the CRD is no longer armed.
func wantConverted(t *testing.T, plane *harness.ControlPlane) {
	t.Helper()
	said, err := plane.Kubectl(t.Context(), "get", "crd", crontabs, "-o", "jsonpath={.spec.conversion.strategy}")
	if err != nil || said != "Webhook" {
		t.Errorf("strategy is %q (%v), want Webhook", said, err)
	}
}

// mistake makes a Crosswalk name a field that is not there.
func mistake(t *testing.T, crosswalk *unstructured.Unstructured) {
	t.Helper()
	versions, _, err := unstructured.NestedSlice(crosswalk.Object, "spec", "versions")
	if err != nil {
		t.Fatal(err)
	}
	versions[0].(map[string]any)["rows"].([]any)[0].(map[string]any)["spoke"] = ".spec.hostPorts"
	if err := unstructured.SetNestedSlice(crosswalk.Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
}

// change changes something in an object's spec.
func change(t *testing.T, plane *harness.ControlPlane, object *unstructured.Unstructured) {
	t.Helper()
	patch := `{"spec": {"failurePolicy": "Ignore"}}`
	if object.GetKind() == "Crosswalk" {
		patch = `{"spec": {"admission": "None"}}`
	}
	if _, err := plane.Kubectl(t.Context(), "patch", strings.ToLower(object.GetKind()), object.GetName(), "--type=merge", "--patch", patch); err != nil {
		t.Fatal(err)
	}
}
