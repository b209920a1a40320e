package command

import (
	"fmt"
	"io"
	"time"
)

// progress shows on standard error how far a command is: on one line of a terminal, which is
// erased at the end, or every few seconds on a new line.
type progress struct {
	out      io.Writer
	terminal bool
	ticker   *time.Ticker
	ticks    <-chan time.Time
	shown    bool
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, terminal: isTerminal(out)}
	interval := 10 * time.Second
	if p.terminal {
		interval = time.Second / 2
	}
	p.ticker = time.NewTicker(interval)
	p.ticks = p.ticker.C
	return p
}

// say shows how far the command is.
func (p *progress) say(text string) {
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	p.clear()
	fmt.Fprint(p.out, text)
	p.shown = true
}

// stop ends the progress, and erases its line on a terminal.
func (p *progress) stop() {
	p.ticker.Stop()
	p.clear()
}

// clear moves to the start of the line and erases to its end (ECMA-48, EL).
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}
