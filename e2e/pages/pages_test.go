// Package pages runs the pages of the documentation that need a cluster.
package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
)

// TestPages runs every page in docs that has blocks of sh, each on an
// installation of its own.
func TestPages(t *testing.T) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(programs.Root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "```sh\n") {
			continue
		}
		ran++
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			scene, err := harness.StartScene(t.Context(), programs, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := scene.Stop(); err != nil {
					t.Error(err)
				}
			}()
			// crosswalk manage makes its own Crosswalk when it leads.
			for _, state := range []string{"create", "condition=Ready"} {
				if _, err := scene.ControlPlane.Kubectl(t.Context(), "wait", "--for="+state, "--timeout=1m", "crosswalk", "canaries.crosswalk.dev"); err != nil {
					t.Fatal(err)
				}
			}
			page.Run(t, programs, scene, filepath.Join("docs", name))
			if t.Failed() {
				t.Log(scene.LogEnds())
			}
		})
	}
	if ran == 0 {
		t.Error("no page has a block of sh")
	}
}
