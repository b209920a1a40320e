package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// build compiles the programs of all modules, one after the other, into the folder out.
func build(ctx context.Context, modules []module, root, out string, log io.Writer) error {
	p := newProgress(log, modules, time.Now())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	plans := make(chan map[unit]int64, 1)
	planning := time.AfterFunc(quiet, func() {
		// Without it there is no total and no estimate; go build tells what is wrong.
		if todo, err := plan(ctx, modules, root); err == nil {
			plans <- todo
		}
	})
	defer planning.Stop()
	for i, m := range modules {
		p.at = i
		if err := m.build(ctx, root, out, p, plans); err != nil {
			p.clear()
			return err
		}
	}
	p.finish(time.Now())
	return nil
}

// plan asks go list what there is to compile.
func plan(ctx context.Context, modules []module, root string) (map[unit]int64, error) {
	todo := map[unit]int64{}
	for i, m := range modules {
		args := []string{"-deps", "-f", "{{if .Stale}}{{.ImportPath}}\t{{.Dir}}{{range .GoFiles}}\t{{.}}{{end}}{{end}}"}
		said, err := m.command(ctx, root, "list", args).Output()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(said)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) < 2 {
				continue
			}
			var size int64
			for _, file := range fields[2:] {
				if info, err := os.Stat(filepath.Join(fields[1], file)); err == nil {
					size += info.Size()
				}
			}
			todo[unitOf(i, fields[0])] = size
		}
	}
	return todo, nil
}

// command is go list or go build of the programs' packages, in the module's folder.
func (m module) command(ctx context.Context, root, verb string, flags []string) *exec.Cmd {
	args := slices.Concat([]string{verb}, m.flags, flags)
	for _, p := range m.programs {
		args = append(args, p.pkg)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(m.dir))
	// Without cgo the programs need no C compiler and no C library.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// build compiles the programs of m into the folder out.
func (m module) build(ctx context.Context, root, out string, p *progress, plans <-chan map[unit]int64) error {
	flags := []string{"-v", "-o", out + string(filepath.Separator)}
	if m.ldflags != "" {
		flags = append(flags, "-ldflags", m.ldflags)
	}
	cmd := m.command(ctx, root, "build", flags)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w; is Go installed and in PATH?", m, err)
	}
	other := watch(stderr, p, plans)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: go build: %w\n%s", m, err, other)
	}
	return nil
}

// String names the programs of m.
func (m module) String() string {
	var names []string
	for _, p := range m.programs {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// watch reads what "go build -v" says until it ends, and keeps p up to date. It returns
// the lines that are neither a package's name nor a download: the compiler's errors.
func watch(r io.Reader, p *progress, plans <-chan map[unit]int64) (other []byte) {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(r)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			lines <- scan.Text()
		}
	}()
	ticks := time.NewTicker(onTerminal)
	defer ticks.Stop()
	var kept bytes.Buffer
	for {
		select {
		case line, more := <-lines:
			switch {
			case !more:
				return kept.Bytes()
			case strings.HasPrefix(line, "go: downloading "):
				p.downloaded++
			case isPackage(line):
				p.compiling(line, time.Now())
			default:
				fmt.Fprintln(&kept, line)
			}
		case todo := <-plans:
			p.planned(todo)
		case now := <-ticks.C:
			p.tick(now)
		}
	}
}

// isPackage tells a package's name from a message.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " :\t#")
}
