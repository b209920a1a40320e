package harness

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Helm runs helm against the control plane, in Crosswalk's namespace, and returns what it
// prints.
func (c *ControlPlane) Helm(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.programs.Helm, append(args, "--namespace", Namespace)...)
	cmd.Env = append(c.Env(), HelmEnv(filepath.Join(c.dir, "helm"))...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("helm %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// HelmEnv makes helm keep what it keeps in the folder dir, and not where a user's is.
func HelmEnv(dir string) []string {
	return []string{"HELM_CACHE_HOME=" + dir, "HELM_CONFIG_HOME=" + dir, "HELM_DATA_HOME=" + dir}
}

// InstallChart installs deploy/chart with values in the form KEY=JSON, for
// SceneOptions.Install.
func InstallChart(programs Programs, values ...string) func(context.Context, *ControlPlane) error {
	return func(ctx context.Context, c *ControlPlane) error {
		args := []string{"install", "crosswalk", filepath.Join(programs.Root, "deploy", "chart"), "--create-namespace"}
		for _, value := range values {
			args = append(args, "--set-json", value)
		}
		_, err := c.Helm(ctx, args...)
		return err
	}
}
