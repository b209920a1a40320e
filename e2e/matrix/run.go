package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// part is a column of the table.
type part struct {
	name     string
	packages []string // folders in e2e
}

// parts are the core of the end-to-end tests: all that depends on how the API server works.
func parts() []part {
	return []part{
		{"control plane", []string{"harness"}},
		{"conversion", []string{"systems", "conversion"}},
		{"admission", []string{"policies"}},
		{"certificates", []string{"authority", "certificates"}},
		{"migration", []string{"migrate", "controllers"}},
		{"installation", []string{"install", "chart"}},
	}
}

// verdict is what the tests say of a release.
type verdict struct {
	unbuilt string              // why the release cannot be built; then nothing was tested
	failed  map[string][]string // of parts: what did not pass
	leftOut []string            // why tests were left out
}

func (v verdict) passed() bool { return v.unbuilt == "" && len(v.failed) == 0 }

// test builds the release and runs the tests on it. log is for all that is printed.
func (r release) test(ctx context.Context, root, log string) (verdict, error) {
	file, err := os.Create(log)
	if err != nil {
		return verdict{}, err
	}
	defer file.Close()
	if !r.own {
		build := r.command(ctx, root, "run", "./build", "-kubernetes", r.minor)
		var said strings.Builder
		build.Stdout, build.Stderr = os.Stdout, io.MultiWriter(os.Stderr, file, &said)
		if err := build.Run(); ctx.Err() != nil {
			return verdict{}, ctx.Err()
		} else if err != nil {
			return verdict{unbuilt: reason(said.String())}, nil
		}
	}
	// -short and two packages at once, as make test runs them.
	args := []string{"test", "-json", "-vet=off", "-short", "-count=1", "-p", "2", "-timeout", "40m", "-o", filepath.Join(root, "bin", "matrix") + string(filepath.Separator)}
	for _, p := range parts() {
		for _, folder := range p.packages {
			args = append(args, "./"+folder)
		}
	}
	tests := r.command(ctx, root, args...)
	tests.Stderr = file
	out, err := tests.StdoutPipe()
	if err != nil {
		return verdict{}, err
	}
	if err := tests.Start(); err != nil {
		return verdict{}, err
	}
	found, err := read(out, file, os.Stdout)
	ended := tests.Wait()
	if err := ctx.Err(); err != nil {
		return verdict{}, err
	}
	if err != nil {
		return verdict{}, err
	}
	if ended != nil && found.passed() {
		return verdict{}, fmt.Errorf("go test: %w, though every package passed: see %s", ended, log)
	}
	return found, nil
}

// command is the go command in the folder e2e, with the release's programs.
func (r release) command(ctx context.Context, root string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(root, "e2e")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if !r.own {
		cmd.Env = append(cmd.Env, harness.KubernetesVariable+"="+r.minor)
	}
	// It ends what it has started.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = time.Minute
	return cmd
}

// reason is the first line of what a build says that names a file of Go, or the last line.
func reason(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, line := range lines {
		if strings.Contains(line, ".go:") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[len(lines)-1])
}

// read reads what go test -json says. It writes what the tests print to log, and to
// progress a line for each package.
func read(out io.Reader, log, progress io.Writer) (verdict, error) {
	v := verdict{failed: map[string][]string{}}
	passed, failed := map[string]bool{}, map[string][]string{} // packages, and tests in them
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		var event struct {
			Action, Package, Test, Output string
			Elapsed                       float64
		}
		if err := json.Unmarshal(scan.Bytes(), &event); err != nil {
			return v, fmt.Errorf("go test: %w: %s", err, scan.Bytes())
		}
		fmt.Fprint(log, event.Output)
		if _, why, ok := strings.Cut(event.Output, harness.LeftOut); ok && !slices.Contains(v.leftOut, strings.TrimSpace(why)) {
			v.leftOut = append(v.leftOut, strings.TrimSpace(why))
		}
		folder := path.Base(event.Package)
		switch {
		case event.Action == "fail" && event.Test != "":
			failed[folder] = append(failed[folder], event.Test)
		case event.Action == "pass" && event.Test == "":
			passed[folder] = true
			fmt.Fprintf(progress, "  %-14s passes in %.0f s\n", folder, event.Elapsed)
		case event.Action == "fail":
			fmt.Fprintf(progress, "  %-14s FAILS in %.0f s\n", folder, event.Elapsed)
		}
	}
	// What did not pass has failed, also where it was never run.
	for _, p := range parts() {
		for _, folder := range p.packages {
			switch tests := innermost(failed[folder]); {
			case passed[folder]:
			case len(tests) > 0:
				v.failed[p.name] = append(v.failed[p.name], tests...)
			default:
				v.failed[p.name] = append(v.failed[p.name], "./"+folder)
			}
		}
	}
	slices.Sort(v.leftOut)
	return v, scan.Err()
}

// innermost leaves out the tests that have failed because one inside them has.
func innermost(tests []string) []string {
	return slices.DeleteFunc(slices.Clone(tests), func(outer string) bool {
		return slices.ContainsFunc(tests, func(inner string) bool { return strings.HasPrefix(inner, outer+"/") })
	})
}
