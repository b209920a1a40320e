package harness

import (
	"context"
	"os"
	"path/filepath"
)

// CrosswalkOptions say how to run `crosswalk serve` without a cluster.
type CrosswalkOptions struct {
	Program string
	Dir     string   // for its log and certificates
	Config  []string // files or folders
	DNSName string   // the name that clients will ask for
}

// Crosswalk is a `crosswalk serve` that takes its tables from files and makes its
// certificates itself.
type Crosswalk struct {
	*Role
	certs string
}

// StartCrosswalk starts the service and waits until it says that it is ready.
func StartCrosswalk(ctx context.Context, o CrosswalkOptions) (*Crosswalk, error) {
	c := &Crosswalk{certs: filepath.Join(o.Dir, "certs")}
	args := []string{"serve", "--certs-dir", c.certs, "--dns-name", o.DNSName, "--drain-delay", "0s"}
	for _, path := range o.Config {
		args = append(args, "--config", path)
	}
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	if c.Role, err = newServe("serve", o.Program, o.Dir, port, args...); err != nil {
		return nil, err
	}
	if err := c.Start(ctx); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

// CA is the bundle that clients need to believe the service, as PEM.
func (c *Crosswalk) CA() ([]byte, error) {
	return os.ReadFile(filepath.Join(c.certs, "ca.crt"))
}
