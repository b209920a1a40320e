package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progress tells how far the builds are: on a terminal in one line that it writes again
// and again, elsewhere in a line now and then. It says nothing of what takes no time.
type progress struct {
	out      io.Writer
	terminal bool
	began    time.Time
	modules  []module
	at       int // the module that is being built

	// todo holds what is to be compiled, with the bytes of its sources, by which the
	// time is estimated that is left. It is nil until planned has been called.
	todo map[unit]int64
	// done holds what has been compiled, or is right now.
	done       map[unit]bool
	first      time.Time // when the first of them was
	downloaded int
	said       time.Time // when a line was written last; zero where none was
}

// unit is a package as one of the modules has it: the same package is another one where
// it depends on other versions. Those of the standard library are the same in all.
type unit struct {
	module int
	name   string
}

func unitOf(module int, name string) unit {
	if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
		module = standard
	}
	return unit{module, name}
}

// standard stands for the module of the standard library.
const standard = -1

// The time between two lines of progress.
const (
	onTerminal = time.Second / 4
	inFile     = 15 * time.Second
	// quiet is how long a build may take without a word.
	quiet = 3 * time.Second
	// enough is how long packages are compiled before the time that is left is estimated.
	enough = 10 * time.Second
)

func newProgress(out io.Writer, modules []module, now time.Time) *progress {
	return &progress{out: out, terminal: isTerminal(out), began: now, modules: modules, done: map[unit]bool{}}
}

// isTerminal reports whether out is a device that shows characters.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// compiling notes that go build has come to a package.
func (p *progress) compiling(name string, now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.done[unitOf(p.at, name)] = true
}

// planned notes what is still to be compiled. What has been until then counts, too.
func (p *progress) planned(todo map[unit]int64) {
	p.todo = todo
	for u := range p.done {
		if _, ok := p.todo[u]; !ok {
			p.todo[u] = 0
		}
	}
}

// every is the time between two lines.
func (p *progress) every() time.Duration {
	if p.terminal {
		return onTerminal
	}
	return inFile
}

// tick writes a line where it is time for one.
func (p *progress) tick(now time.Time) {
	if now.Sub(p.began) < quiet || !p.said.IsZero() && now.Sub(p.said) < p.every() {
		return
	}
	p.said = now
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", cut(p.line(now)))
		return
	}
	fmt.Fprintln(p.out, p.line(now))
}

// clear takes the line away, so that something else can be written.
func (p *progress) clear() {
	if p.terminal && !p.said.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// finish ends the line, and says what it took if anything was said.
func (p *progress) finish(now time.Time) {
	if p.said.IsZero() {
		return
	}
	p.clear()
	var names []string
	for _, m := range p.modules {
		names = append(names, m.String())
	}
	fmt.Fprintf(p.out, "built %s in %s\n", strings.Join(names, ", "), duration(now.Sub(p.began)))
}

// line is how far it is.
func (p *progress) line(now time.Time) string {
	name, took := p.modules[p.at].String(), duration(now.Sub(p.began))
	switch {
	case len(p.done)+p.downloaded == 0:
		return fmt.Sprintf("building %s, %s", name, took)
	case len(p.done) == 0:
		return fmt.Sprintf("downloaded %d modules in %s, for %s", p.downloaded, took, name)
	case p.todo == nil:
		return fmt.Sprintf("compiled %d packages in %s, now of %s", len(p.done), took, name)
	}
	var all, compiled int64
	doing := "linking"
	for u, size := range p.todo {
		all += size
		if p.done[u] {
			compiled += size
		} else if u.module == p.at {
			doing = "now of"
		}
	}
	left := ""
	if spent := now.Sub(p.first); compiled > 0 && spent >= enough {
		left = ", about " + duration(time.Duration(float64(spent)*float64(all-compiled)/float64(compiled))) + " left"
	}
	return fmt.Sprintf("compiled %d of %d packages in %s%s, %s %s", len(p.done), len(p.todo), took, left, doing, name)
}

// width is that of the narrowest terminal in which the line must not wrap.
const width = 79

// cut shortens a line to fit a terminal.
func cut(line string) string {
	const more = "..."
	if len(line) <= width {
		return line
	}
	return line[:width-len(more)] + more
}

// duration writes a time as people say it.
func duration(d time.Duration) string {
	d = d.Round(time.Second)
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
}
