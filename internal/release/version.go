package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/internal/release/changelog"
	"github.com/crosswalk-dev/crosswalk/internal/release/version"
)

// versionOptions is what the command version is told.
type versionOptions struct {
	root    string // of the repository
	version string
}

func newVersionCommand() *cobra.Command {
	var o versionOptions
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Have the repository name a version: what make builds, deploy, the chart and, unless it ends in -dev, the changelog",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(time.Now())
		},
	}
	cmd.Flags().StringVar(&o.root, "root", "../..", "the repository")
	cmd.Flags().StringVar(&o.version, "version", "", "the version, as v1.2.3, or v1.2.3-dev for what will be v1.2.3")
	return cmd
}

// run changes nothing where the repository is at the version already, so that the commit
// that a tag names can be told from others.
func (o versionOptions) run(now time.Time) error {
	if err := version.Check(o.version); err != nil {
		return fmt.Errorf("--version: %w", err)
	}
	if version.IsRelease(o.version) {
		path := filepath.Join(o.root, "CHANGELOG.md")
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		released, err := changelog.Release(string(content), o.version, now)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(released), 0o644); err != nil {
			return err
		}
	}
	return version.Write(o.root, o.version)
}
