package chart

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"znkr.io/diff/textdiff"
)

// objects are those of a manifest, by kind, namespace and name.
type objects map[string]*unstructured.Unstructured

func parse(t *testing.T, manifest []byte) objects {
	t.Helper()
	found := objects{}
	for document := range bytes.SplitSeq(append([]byte("\n"), manifest...), []byte("\n---\n")) {
		object := new(unstructured.Unstructured)
		if err := yaml.Unmarshal(document, &object.Object); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		if object.Object == nil {
			continue
		}
		key := fmt.Sprint(object.GetKind(), " ", object.GetNamespace(), "/", object.GetName())
		if found[key] != nil {
			t.Errorf("%s is there twice", key)
		}
		found[key] = object
	}
	return found
}

// render is what helm installs with the values.
func render(t *testing.T, values ...string) objects {
	t.Helper()
	manifest, err := template(t, values...)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, manifest)
}

func template(t *testing.T, values ...string) ([]byte, error) {
	t.Helper()
	return templateIn(t, harness.Namespace, values...)
}

func templateIn(t *testing.T, namespace string, values ...string) ([]byte, error) {
	t.Helper()
	p := stage.Programs(t)
	args := []string{"template", "crosswalk", filepath.Join(p.Root, "deploy", "chart"), "--namespace", namespace}
	for _, value := range values {
		args = append(args, "--set-json", value)
	}
	cmd := exec.CommandContext(t.Context(), p.Helm, args...)
	cmd.Env = append(os.Environ(), harness.HelmEnv(t.TempDir())...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return out, nil
}

// kustomize is what kubectl installs with an overlay, and a component if one is named, in
// deploy.
func kustomize(t *testing.T, overlay, component string) []byte {
	t.Helper()
	p := stage.Programs(t)
	folder := t.TempDir()
	// kubectl takes no absolute paths.
	within := func(name string) string {
		path, err := filepath.Rel(folder, filepath.Join(p.Root, "deploy", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	content := "resources: [" + within(overlay) + "]\n"
	if component != "" {
		content += "components: [" + within(component) + "]\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "kustomization.yaml"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), p.Kubectl, "kustomize", folder)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return out
}

// TestChartIsWhatKustomizeInstalls holds the two ways to install together.
func TestChartIsWhatKustomizeInstalls(t *testing.T) {
	for name, test := range map[string]struct {
		overlay, component string
		values             []string
	}{
		"base":         {"base", "", nil},
		"cert-manager": {"overlays/cert-manager", "", []string{`certificates.provider="cert-manager"`}},
		"aggregated":   {"overlays/aggregated", "", []string{`aggregated.enabled=true`}},
		"injection":    {"base", "components/injection", []string{`injection.enabled=true`}},
		"monitoring":   {"base", "components/monitoring", []string{`monitoring={"serviceMonitor":{"enabled":true},"prometheusRule":{"enabled":true},"dashboard":{"enabled":true}}`}},
	} {
		t.Run(name, func(t *testing.T) {
			want := parse(t, kustomize(t, test.overlay, test.component))
			// Whoever installs a chart makes the namespace: deploy/README.md.
			delete(want, "Namespace /crosswalk-system")
			got := render(t, test.values...)
			for key := range got {
				if want[key] == nil {
					t.Errorf("the chart also installs %s", key)
				}
			}
			for key, object := range want {
				if got[key] == nil {
					t.Errorf("the chart does not install %s", key)
					continue
				}
				withoutHelm(t, got[key])
				withoutLabels(object)
				if a, b := text(t, object), text(t, got[key]); a != b {
					t.Errorf("%s differs:\n%s", key, textdiff.Unified(a, b))
				}
			}
		})
	}
}

// withoutHelm takes from an object's metadata what a chart adds, and fails if something
// is missing.
func withoutHelm(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	labels := object.GetLabels()
	for label, want := range map[string]string{
		"app.kubernetes.io/name":       "crosswalk",
		"app.kubernetes.io/instance":   "crosswalk",
		"app.kubernetes.io/managed-by": "Helm",
	} {
		if labels[label] != want {
			t.Errorf("%s has the label %s=%s, want %s", object.GetName(), label, labels[label], want)
		}
	}
	for _, label := range []string{"app.kubernetes.io/version", "helm.sh/chart"} {
		if labels[label] == "" {
			t.Errorf("%s has no label %s", object.GetName(), label)
		}
	}
	for _, label := range []string{"app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "app.kubernetes.io/version", "helm.sh/chart"} {
		unstructured.RemoveNestedField(object.Object, "metadata", "labels", label)
	}
	if object.GetKind() == "CustomResourceDefinition" {
		if object.GetAnnotations()["helm.sh/resource-policy"] != "keep" {
			t.Errorf("helm uninstall deletes %s", object.GetName())
		}
		unstructured.RemoveNestedField(object.Object, "metadata", "annotations", "helm.sh/resource-policy")
	}
	withoutLabels(object)
}

// withoutLabels takes away the labels of an object that belongs to both roles or is of
// cert-manager's kinds: the chart labels all alike.
func withoutLabels(object *unstructured.Unstructured) {
	switch {
	case object.GetKind() == "CustomResourceDefinition", object.GroupVersionKind().Group == "cert-manager.io":
		object.SetLabels(nil)
	}
	if len(object.GetLabels()) == 0 {
		object.SetLabels(nil)
	}
	if len(object.GetAnnotations()) == 0 {
		object.SetAnnotations(nil)
	}
}

func text(t *testing.T, object *unstructured.Unstructured) string {
	t.Helper()
	written, err := yaml.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

// container is the only one of a role's Deployment.
func (o objects) container(t *testing.T, role string) map[string]any {
	t.Helper()
	deployment := o["Deployment crosswalk-system/crosswalk-"+role]
	if deployment == nil {
		t.Fatalf("there is no Deployment of %s", role)
	}
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) != 1 {
		t.Fatalf("%s has the containers %v, %v", role, containers, err)
	}
	return containers[0].(map[string]any)
}

func TestImage(t *testing.T) {
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	tests := map[string][]string{
		"registry.example.com/team/crosswalk:v9":       {`image={"registry":"registry.example.com","repository":"team/crosswalk","tag":"v9"}`},
		"ghcr.io/crosswalk-dev/crosswalk@" + digest:    {`image.digest="` + digest + `"`},
		"ghcr.io/crosswalk-dev/crosswalk:v9@" + digest: {`image.digest="` + digest + `"`, `image.tag="v9"`},
		"docker-archive/crosswalk:v9":                  {`image={"registry":"","repository":"docker-archive/crosswalk","tag":"v9"}`},
	}
	for want, values := range tests {
		rendered := render(t, values...)
		for _, role := range []string{"serve", "manage"} {
			if got := rendered.container(t, role)["image"]; got != want {
				t.Errorf("%s: %s has the image %s", strings.Join(values, ", "), role, got)
			}
		}
	}
}
