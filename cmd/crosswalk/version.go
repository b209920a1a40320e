package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is for packagers whose build has no version control to read:
//
//	go build -ldflags "-X main.release=v1.2.3" ./cmd/crosswalk
var release string

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the Go release",
		Args:  noArguments("version takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprint(cmd.OutOrStdout(), describe(release, info))
			return err
		},
	}
}

// version is the version alone, as --version prints it.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(release, info)
}

func versionOf(release string, info *debug.BuildInfo) string {
	switch {
	case release != "":
		return release
	case info != nil && info.Main.Version != "":
		// "(devel)" for a build without version control.
		return info.Main.Version
	}
	return "unknown"
}

func describe(release string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
	}
	commit := settings["vcs.revision"]
	switch {
	case commit == "":
		commit = "unknown"
	case settings["vcs.modified"] == "true":
		commit += " (modified)"
	}
	return fmt.Sprintf("version: %s\ncommit:  %s\ngo:      %s %s/%s\n",
		versionOf(release, info), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
