package bulk

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

// Console prints results and progress. Its methods may be called concurrently.
type Console struct {
	// Output receives the results.
	Output io.Writer
	// Errors receives the failures and the progress.
	Errors io.Writer
	// Terminal reports that Errors is a terminal. Progress is then one line that is
	// overwritten.
	Terminal bool
	// Quiet suppresses progress.
	Quiet bool
	// Now is the clock.
	Now func() time.Time

	mu      sync.Mutex
	shown   bool // the progress line is on the terminal now
	stopped chan struct{}
	ticking sync.WaitGroup
}

// Report prints a result.
func (c *Console) Report(name, format string, args ...any) {
	c.Print(name + ": " + fmt.Sprintf(format, args...))
}

// Print prints a line of the results.
func (c *Console) Print(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintln(c.Output, line)
}

// Failure prints an object that could not be handled, and why.
func (c *Console) Failure(name, key string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.Errors, "crosswalk: %s: %s: %v\n", name, key, err)
}

// Say prints progress in words.
func (c *Console) Say(name, format string, args ...any) {
	if c.Quiet {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.Errors, "%s: %s\n", name, fmt.Sprintf(format, args...))
}

// Start prints progress from time to time, until Stop.
func (c *Console) Start(name string, p *Progress) {
	c.stopped = make(chan struct{})
	if c.Quiet {
		return
	}
	interval := lineInterval
	if c.Terminal {
		interval = terminalInterval
	}
	began := c.Now()
	c.ticking.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-c.stopped:
				return
			case <-ticker.C:
				c.show(name + ": " + p.Line(c.Now().Sub(began)))
			}
		}
	})
}

// Stop ends the progress.
func (c *Console) Stop() {
	close(c.stopped)
	c.ticking.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
}

func (c *Console) show(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	if !c.Terminal {
		fmt.Fprintln(c.Errors, line)
		return
	}
	fmt.Fprint(c.Errors, line)
	c.shown = true
}

// clear removes the progress line from the terminal: it moves to the start of the line, and
// erases to its end (ECMA-48, EL).
func (c *Console) clear() {
	if c.shown {
		fmt.Fprint(c.Errors, "\r\x1b[K")
		c.shown = false
	}
}
