package harness

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// moduleDir is the control plane's module, seen from here.
const moduleDir = "../controlplane"

// built is with which of that module's files the control plane under test is built.
func built() (modFile, tags string) {
	if release := os.Getenv(KubernetesVariable); release != "" {
		return "kubernetes-" + release + ".mod", "kubernetes" + release
	}
	return "go.mod", ""
}

// TestControlPlaneFollowsKubernetes compares the versions that the control plane
// is built of with those that the Kubernetes release itself names. Any other
// choice would no longer be the released API server.
func TestControlPlaneFollowsKubernetes(t *testing.T) {
	version := kubernetesVersion(t)
	modFile, tags := built()
	var kubernetes struct {
		GoMod string
	}
	run(t, &kubernetes, "list", "-modfile="+modFile, "-m", "-json", "k8s.io/kubernetes")
	var named struct {
		Require []struct{ Path, Version string }
		Replace []struct{ Old struct{ Path string } }
	}
	run(t, &named, "mod", "edit", "-json", kubernetes.GoMod)
	staging := map[string]bool{}
	for _, r := range named.Replace {
		staging[r.Old.Path] = true
	}
	want := map[string]string{}
	for _, r := range named.Require {
		want[r.Path] = r.Version
		if staging[r.Path] {
			// Kubernetes v1.36.3 publishes its staging modules as v0.36.3.
			want[r.Path] = strings.Replace(version, "v1.", "v0.", 1)
		}
	}
	cmd := exec.Command("go", "list", "-modfile="+modFile, "-tags="+tags, "-deps", "-f", "{{with .Module}}{{.Path}} {{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}{{end}}", ".")
	cmd.Dir = moduleDir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, got, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path == "" || seen[path] || want[path] == "" {
			continue
		}
		seen[path] = true
		if got != want[path] {
			t.Errorf("%s %s; Kubernetes %s has %s", path, got, version, want[path])
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d modules were compared", len(seen))
	}
}

// kubernetesVersion is the version that the control plane under test is built of.
func kubernetesVersion(t *testing.T) string {
	t.Helper()
	modFile, _ := built()
	var module struct {
		Require []struct{ Path, Version string }
	}
	run(t, &module, "mod", "edit", "-json", modFile)
	for _, r := range module.Require {
		if r.Path == "k8s.io/kubernetes" {
			return r.Version
		}
	}
	t.Fatalf("the control plane's %s does not name k8s.io/kubernetes", modFile)
	return ""
}

// run runs go in the control plane's module and decodes what it says.
func run(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = moduleDir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v: %s", strings.Join(args, " "), err, errs.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatal(err)
	}
}
