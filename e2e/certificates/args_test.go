package certificates

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// overlayWith writes an overlay of a folder in deploy/ in which containers have
// other args, and returns what SceneOptions want.
func overlayWith(t *testing.T, base string, args map[string][]string) string {
	t.Helper()
	root := stage.Programs(t).Root
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deploy, err := filepath.EvalSymlinks(filepath.Join(root, "deploy"))
	if err != nil {
		t.Fatal(err)
	}
	up, err := filepath.Rel(dir, deploy)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [%q]\npatches:\n",
		filepath.ToSlash(filepath.Join(up, base)))
	for name, values := range args {
		list, err := json.Marshal(values) // which is YAML too
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf(`- target: {kind: Deployment, name: crosswalk-%s}
  patch: |-
    - {op: replace, path: /spec/template/spec/containers/0/args, value: %s}
`, name, list)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := filepath.Rel(deploy, dir)
	if err != nil {
		t.Fatal(err)
	}
	return back
}
