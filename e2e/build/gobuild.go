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
	"strings"
	"time"
)

// every is the time between two lines of progress.
const every = 3 * time.Second

// build compiles the programs of m into the folder out and reports its progress on log.
func (m module) build(ctx context.Context, root, out string, log io.Writer) error {
	args := []string{"build", "-v", "-o", out + string(filepath.Separator)}
	if m.ldflags != "" {
		args = append(args, "-ldflags", m.ldflags)
	}
	for _, p := range m.programs {
		args = append(args, p.pkg)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(m.dir))
	// Without cgo the programs need no C compiler and no C library.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w; is Go installed and in PATH?", m, err)
	}
	said, other := m.watch(stderr, log, began)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: go build: %w\n%s", m, err, other)
	}
	if said {
		fmt.Fprintf(log, "building %s: done in %.0f s\n", m, time.Since(began).Seconds())
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

// watch reads what "go build -v" says until it ends, and writes a line of
// progress now and then. It returns whether it wrote any, and the lines that are
// neither a package's name nor a download: the compiler's errors.
func (m module) watch(r io.Reader, log io.Writer, began time.Time) (said bool, other []byte) {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(r)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			lines <- scan.Text()
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	var kept bytes.Buffer
	compiled, downloaded, last := 0, 0, "starting"
	for {
		select {
		case line, more := <-lines:
			name, download := strings.CutPrefix(line, "go: downloading ")
			switch {
			case !more:
				return said, kept.Bytes()
			case download:
				downloaded++
				last = "downloading " + name
			case isPackage(line):
				compiled++
				last = line
			default:
				fmt.Fprintln(&kept, line)
			}
		case <-tick.C:
			if !said && m.note != "" {
				fmt.Fprintf(log, "building %s: %s\n", m, m.note)
			}
			said = true
			fmt.Fprintf(log, "building %s: %3.0f s, %s (%s)\n", m, time.Since(began).Seconds(), count(downloaded, compiled), last)
		}
	}
}

// isPackage tells a package's name from a message.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " :\t#")
}

func count(downloaded, compiled int) string {
	if downloaded > 0 {
		return fmt.Sprintf("%d modules downloaded, %d packages compiled", downloaded, compiled)
	}
	return fmt.Sprintf("%d packages compiled", compiled)
}
