package harness

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// CrosswalkOptions says how to run `crosswalk serve`.
type CrosswalkOptions struct {
	Program  string
	Config   []string // files or folders
	CertsDir string   // kept from run to run, so that the CA stays the same
	DNSName  string   // the name that the API server will ask for
	Listen   int      // the port, or 0 for a free one
	Log      io.Writer
}

// Crosswalk is a running `crosswalk serve`.
type Crosswalk struct {
	Port    int // conversion, TLS
	Health  int // health and metrics
	options CrosswalkOptions
	process *process
}

// StartCrosswalk starts the service and waits until it says that it is ready.
func StartCrosswalk(ctx context.Context, o CrosswalkOptions) (*Crosswalk, error) {
	c := &Crosswalk{Port: o.Listen, options: o}
	var err error
	if c.Port == 0 {
		if c.Port, err = FreePort(); err != nil {
			return nil, err
		}
	}
	if c.Health, err = FreePort(); err != nil {
		return nil, err
	}
	args := []string{"serve",
		"--listen", loopback(c.Port), "--health-listen", loopback(c.Health),
		"--certs-dir", o.CertsDir, "--dns-name", o.DNSName,
		// There is no balancer that would have to hear that it stops.
		"--drain-delay", "0s",
	}
	for _, path := range o.Config {
		args = append(args, "--config", path)
	}
	cmd := exec.Command(o.Program, args...)
	cmd.Stdout, cmd.Stderr = o.Log, o.Log
	if c.process, err = start("crosswalk serve", cmd); err != nil {
		return nil, err
	}
	if err := c.waitReady(ctx); err != nil {
		c.process.kill()
		return nil, err
	}
	return c, nil
}

func (c *Crosswalk) waitReady(ctx context.Context) error {
	for {
		last := c.ready(ctx)
		if last == nil {
			return nil
		}
		select {
		case <-c.process.exited:
			return fmt.Errorf("crosswalk serve ended before it was ready: %v; its log says why", c.process.err)
		case <-ctx.Done():
			return fmt.Errorf("crosswalk serve is not ready: %w", last)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (c *Crosswalk) ready(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+loopback(c.Health)+"/readyz?verbose", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, body)
	}
	return nil
}

// CA is the bundle that clients need to believe the service, as PEM.
func (c *Crosswalk) CA() ([]byte, error) {
	return os.ReadFile(filepath.Join(c.options.CertsDir, "ca.crt"))
}

// Exited is closed when the process has ended.
func (c *Crosswalk) Exited() <-chan struct{} { return c.process.exited }

// Stop ends the service as a rollout would.
func (c *Crosswalk) Stop() error { return c.process.stop(30 * time.Second) }

// Kill ends the service as a crash would.
func (c *Crosswalk) Kill() { c.process.kill() }

// FreePort returns a TCP port of 127.0.0.1 that nobody listens on.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", loopback(0))
	if err != nil {
		return 0, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
