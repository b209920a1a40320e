package command

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func newVersionCommand(o Options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and the releases of Kubernetes and Go",
		Long: `Print the version, the commit that it was built from, and the releases of Kubernetes
and Go.

The release of Kubernetes is the one whose code the program contains. Tables, policies
and crosswalk admit have the CEL functions, defaults and schemas of that release.`,
		Args: noArguments("version has no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprint(cmd.OutOrStdout(), o.describe(info))
			return err
		},
	}
}

// version returns the version alone, as --version prints it.
func (o Options) version() string {
	info, _ := debug.ReadBuildInfo()
	return o.versionOf(info)
}

func (o Options) versionOf(info *debug.BuildInfo) string {
	switch {
	case o.Version != "":
		return o.Version
	case info != nil && info.Main.Version != "":
		// "(devel)" for a build without version control.
		return info.Main.Version
	}
	return "unknown"
}

// commitOf returns the commit that the program was built from, if Go recorded it.
func commitOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
	}
	commit := settings["vcs.revision"]
	switch {
	case commit == "":
		return "unknown"
	case settings["vcs.modified"] == "true":
		return commit + " (modified)"
	}
	return commit
}

func (o Options) describe(info *debug.BuildInfo) string {
	return fmt.Sprintf("version:    %s\ncommit:     %s\nkubernetes: %s\ngo:         %s %s/%s\n%s%s",
		o.versionOf(info), commitOf(info), kubernetesOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, builtOn(info), registered(o.Functions))
}

// kubernetesOf returns the release of Kubernetes whose code the program contains. Its libraries
// are numbered v0.36.3 for Kubernetes v1.36.3.
func kubernetesOf(info *debug.BuildInfo) string {
	if info != nil {
		for _, module := range info.Deps {
			if minor, found := strings.CutPrefix(module.Version, "v0."); found && module.Path == "k8s.io/apiserver" {
				return "v1." + minor
			}
		}
	}
	return "unknown"
}

// builtOn returns the line for a program of another module, which has its own version.
func builtOn(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/crosswalk-dev/crosswalk" {
			return fmt.Sprintf("built on crosswalk %s\n", module.Version)
		}
	}
	return ""
}

// registered returns the line that distinguishes builds with functions.
func registered(functions conversion.Functions) string {
	if len(functions) == 0 {
		return ""
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		names = append(names, strings.TrimSpace(name+" "+functions[name].Revision))
	}
	return fmt.Sprintf("functions: %s\n", strings.Join(names, ", "))
}
