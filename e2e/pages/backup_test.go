package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// backup is the page that moves objects to another cluster.
const backup = "backup.md"

// TestBackup runs the page in two clusters: what stands before the restore in one, and the
// rest in the other.
func TestBackup(t *testing.T) {
	programs := stage.Programs(t)
	text, err := os.ReadFile(filepath.Join(programs.Root, "docs", backup))
	if err != nil {
		t.Fatal(err)
	}
	const restore = "\n## Restore in another cluster\n"
	before, after, found := strings.Cut(string(text), restore)
	if !found {
		t.Fatalf("the page has no heading %q", restore)
	}
	folder := page.Folder(t, programs)
	for _, part := range []string{before, after} {
		blocks := page.Blocks(t, backup, part)
		if len(blocks) == 0 {
			t.Fatal("a cluster has nothing to do")
		}
		env := page.Env(t, stage.Start(t, programs).ControlPlane)
		for _, b := range blocks {
			b.Run(t, folder, env)
		}
	}
}
