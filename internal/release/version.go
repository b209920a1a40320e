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

// versionOptions holds the flags of the command version.
type versionOptions struct {
	root    string // of the repository
	version string
}

func newVersionCommand() *cobra.Command {
	var o versionOptions
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Set the version in the repository: in the Makefile, deploy, the chart and, unless it ends in -dev, the changelog",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(time.Now())
		},
	}
	cmd.Flags().StringVar(&o.root, "root", "../..", "the repository")
	cmd.Flags().StringVar(&o.version, "version", "", "the version, such as v1.2.3, or v1.2.3-dev before its release")
	return cmd
}

// run changes nothing if the repository already has the version, so that the commit of a tag
// can be recognized.
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
