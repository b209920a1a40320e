// Package program compiles crosswalk for a platform. The same commit and release of Go always
// give the same bytes.
package program

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// Platform is an operating system and an architecture, as Go names them.
type Platform struct{ OS, Arch string }

// String returns the usual form, such as linux/amd64.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Slug returns the form for file names, such as linux-amd64.
func (p Platform) Slug() string { return p.OS + "-" + p.Arch }

// Env returns the environment for go list and go build.
func (p Platform) Env() []string {
	return append(os.Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch, "CGO_ENABLED=0",
		// Settings that speed up the compilation of tests, or are for one kind of processor,
		// would change the program. An empty GOFLAGS would mean those of go env -w.
		"GOFLAGS=-buildvcs=auto", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
}

// Program is crosswalk, compiled.
type Program struct {
	Platform
	Path    string // the file
	Version string // the version that it prints, such as v1.2.3
	Info    *debug.BuildInfo
}

// Compile compiles the crosswalk of the repository in root into the folder dir. The error has
// the compiler's output.
func Compile(ctx context.Context, root, version string, platform Platform, dir string) (Program, error) {
	name := "crosswalk"
	if platform.OS == "windows" {
		name += ".exe"
	}
	path, err := filepath.Abs(filepath.Join(dir, platform.Slug(), name))
	if err != nil {
		return Program{}, err
	}
	// Without -trimpath a program contains the path of its source. Debug information would
	// double the size.
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath",
		"-ldflags", "-s -w -X main.release="+version, "-o", path, "./cmd/crosswalk")
	cmd.Dir, cmd.Env = root, platform.Env()
	if output, err := cmd.CombinedOutput(); err != nil {
		return Program{}, fmt.Errorf("compiling crosswalk for %s: %w\n%s", platform, err, output)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return Program{}, err
	}
	return Program{platform, path, version, info}, nil
}

// Commit returns the commit that the program was compiled from, with -dirty after it if files
// had been changed. It is empty if Go found no version control.
func (p Program) Commit() string {
	commit := p.setting("vcs.revision")
	if p.setting("vcs.modified") == "true" {
		commit += "-dirty"
	}
	return commit
}

// Time returns when the commit was made. Everything that is made from the program has this time
// instead of the current one, so it can be reproduced. Without version control it is the
// beginning of 1970.
func (p Program) Time() time.Time {
	made, err := time.Parse(time.RFC3339, p.setting("vcs.time"))
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return made.UTC()
}

// GoVersion returns the release of Go, such as 1.26.8.
func (p Program) GoVersion() string {
	number, _, _ := strings.Cut(strings.TrimPrefix(p.Info.GoVersion, "go"), " ")
	return number
}

func (p Program) setting(key string) string {
	for _, setting := range p.Info.Settings {
		if setting.Key == key {
			return setting.Value
		}
	}
	return ""
}
