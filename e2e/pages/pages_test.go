// Package pages runs the pages of the documentation that need a cluster.
package pages

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/metricsserver"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/page"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestPages runs every page in docs that has blocks of sh, one after the other on
// an installation that has nothing of the page before.
func TestPages(t *testing.T) {
	programs := stage.Programs(t)
	files, err := filepath.Glob(filepath.Join(programs.Root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		Aggregated: true,
		Refused:    []string{"serve watch services"}, // a policy is there before its rights are
	})
	stage.AggregateRoles(t, scene)
	// crosswalk manage makes its own Crosswalk when it leads.
	for _, state := range []string{"create", "condition=Ready"} {
		if _, err := scene.ControlPlane.Kubectl(t.Context(), "wait", "--for="+state, "--timeout=1m", "crosswalk", "canaries.crosswalk.dev"); err != nil {
			t.Fatal(err)
		}
	}
	metricsserver.Start(t, scene.ControlPlane) // as a cluster has it
	env := page.Env(t, scene.ControlPlane)
	ran := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "```sh\n") || slices.Contains([]string{quickstart, troubleshooting, backup}, filepath.Base(file)) {
			continue
		}
		ran++
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { tidy(t, scene.ControlPlane) })
			page.Run(t, programs, env, filepath.Join("docs", name))
		})
	}
	if ran == 0 {
		t.Error("no page has a block of sh")
	}
}

// tidy takes away what a page has applied.
func tidy(t *testing.T, plane *harness.ControlPlane) {
	t.Helper()
	for _, what := range []string{
		"validationpolicies,mutationpolicies --all",
		"clusterrolebinding everybody-converts --ignore-not-found",
		"clusterroles --selector crosswalk.dev/aggregate-to-serve",
		"crd crontabs.stable.example.com --ignore-not-found", // before its table, which could not be taken from objects
		"crd crontabs.old.example.com --ignore-not-found",
		"crosswalk crontabs.stable.example.com --ignore-not-found",
	} {
		// The test's own context is over.
		args := append([]string{"delete", "--timeout=30s"}, strings.Fields(what)...)
		if _, err := plane.Kubectl(context.Background(), args...); err != nil {
			t.Error(err)
		}
	}
}
