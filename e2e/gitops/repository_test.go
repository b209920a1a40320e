package gitops

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ssautils "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

const crontabs = "crontabs.stable.example.com"

// render is what a repository's folder with deploy/base renders to.
func render(ctx context.Context, programs harness.Programs, plane *harness.ControlPlane) ([]*unstructured.Unstructured, error) {
	rendered, err := plane.Kubectl(ctx, "kustomize", filepath.Join(programs.Root, "deploy", "base"))
	if err != nil {
		return nil, err
	}
	return ssautils.ReadObjects(strings.NewReader(rendered))
}

// asInstalled leaves out the Service, which a scene leads to loopback.
func asInstalled(base []*unstructured.Unstructured) []*unstructured.Unstructured {
	var rest []*unstructured.Unstructured
	for _, object := range base {
		if object.GetKind() != "Service" {
			rest = append(rest, object)
		}
	}
	return rest
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

// kinds are the CRD, Crosswalk and policies of an example, which come before objects.
func kinds(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	return read(t, programs, "examples/crontab/crd.yaml", "examples/crontab/crosswalk.yaml", "examples/crontab/policies.yaml")
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

// objects are some of both versions.
func objects(t *testing.T, programs harness.Programs) []*unstructured.Unstructured {
	t.Helper()
	found := read(t, programs, "examples/crontab/objects/v1.yaml", "examples/crontab/objects/v1beta1.yaml")
	for _, object := range found {
		object.SetNamespace("default")
		// Both files have the same names.
		object.SetName(object.GetName() + "-" + object.GroupVersionKind().Version)
	}
	return found
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
