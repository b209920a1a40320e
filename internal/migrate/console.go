package migrate

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// How often progress is printed.
const (
	terminalInterval = 500 * time.Millisecond
	lineInterval     = 10 * time.Second
)

// console prints what happens. Its methods may be called concurrently.
type console struct {
	out, err io.Writer
	terminal bool
	quiet    bool
	now      func() time.Time

	mu      sync.Mutex
	shown   bool // the progress line is on the terminal now
	stopped chan struct{}
	ticking sync.WaitGroup
}

func newConsole(o Options) *console {
	return &console{out: o.Output, err: o.Errors, terminal: o.Terminal, quiet: o.Quiet, now: o.Now}
}

// report prints a result.
func (c *console) report(name, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.out, "%s: %s\n", name, fmt.Sprintf(format, args...))
}

// failure prints an object that could not be rewritten.
func (c *console) failure(name, key string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.err, "crosswalk: %s: %s: %v\n", name, key, err)
}

// say prints progress in words.
func (c *console) say(name, format string, args ...any) {
	if c.quiet {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.err, "%s: %s\n", name, fmt.Sprintf(format, args...))
}

// start prints the plan, and then progress until stop.
func (c *console) start(s *session, plan string) {
	c.say(s.name, "%s", plan)
	c.stopped = make(chan struct{})
	if c.quiet {
		return
	}
	interval := lineInterval
	if c.terminal {
		interval = terminalInterval
	}
	began := c.now()
	c.ticking.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-c.stopped:
				return
			case <-ticker.C:
				c.show(s, c.now().Sub(began))
			}
		}
	})
}

func (c *console) stop() {
	close(c.stopped)
	c.ticking.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
}

func (c *console) show(s *session, elapsed time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	line := s.name + ": " + s.progress() + s.speed(elapsed)
	if !c.terminal {
		fmt.Fprintln(c.err, line)
		return
	}
	fmt.Fprint(c.err, line)
	c.shown = true
}

// clear removes the progress line from the terminal: it moves to the start of the line, and
// erases to its end (ECMA-48, EL).
func (c *console) clear() {
	if c.shown {
		fmt.Fprint(c.err, "\r\x1b[K")
		c.shown = false
	}
}
