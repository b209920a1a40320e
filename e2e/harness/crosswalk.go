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
	Args    []string // more of its command line
	// Certs is a folder in which somebody keeps certificates. Without one, Crosswalk
	// makes its own in Dir.
	Certs string
}

// Crosswalk is a `crosswalk serve` that takes its tables and certificates from files.
type Crosswalk struct {
	*Role
	Certs string // the folder of its certificates
}

// StartCrosswalk starts the service and waits until it says that it is ready.
func StartCrosswalk(ctx context.Context, o CrosswalkOptions) (*Crosswalk, error) {
	c := &Crosswalk{Certs: o.Certs}
	args := []string{"serve", "--certs=folder"}
	if c.Certs == "" {
		c.Certs = filepath.Join(o.Dir, "certs")
		args = []string{"serve", "--dns-name", o.DNSName}
	}
	args = append(args, "--certs-dir", c.Certs, "--drain-delay", "0s")
	for _, path := range o.Config {
		args = append(args, "--config", path)
	}
	args = append(args, o.Args...)
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	if c.Role, err = newServe("serve", o.Program, o.Dir, port, args); err != nil {
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
	return os.ReadFile(filepath.Join(c.Certs, "ca.crt"))
}
