package pages

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// quickstart is the page that installs Crosswalk itself.
const quickstart = "quickstart.md"

// TestQuickstart runs the page on a control plane that has nothing. What its first block
// installs runs after the second, which need not wait for it.
func TestQuickstart(t *testing.T) {
	programs := stage.Programs(t)
	blocks := page.Read(t, programs, filepath.Join("docs", quickstart))
	folder := page.Folder(t, programs)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Install: func(_ context.Context, plane *harness.ControlPlane) error {
			for _, b := range blocks[:2] {
				b.Run(t, folder, page.Env(t, plane))
			}
			return nil
		},
	})
	env := page.Env(t, scene.ControlPlane)
	for _, b := range blocks[2:] {
		b.Run(t, folder, env)
	}
}
