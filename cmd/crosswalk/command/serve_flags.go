package command

import (
	"crypto/tls"
	"net"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/webhook"
)

// serveOptions holds the flags of serve.
type serveOptions struct {
	cluster      clusterOptions
	config       []string
	listen       string
	healthListen string
	// aggregatedListen is empty if no API group is served.
	aggregatedListen string
	certs            certsOptions
	clients          clientsOptions
	tlsMin           string
	drainDelay       time.Duration
	maxBody          int64
	maxMemory        int64
	objects          objectOptions
	log              logOptions
}

func (o *serveOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.config, "config", nil, "file or folder with CRDs, Crosswalks and policies, YAML or JSON, instead of those in the cluster (repeatable)")
	o.cluster.addFlags(f)
	f.StringVar(&o.listen, "listen", ":8443", "address for the API server")
	f.StringVar(&o.healthListen, "health-listen", ":8081", "address for /livez, /readyz and /metrics, without TLS")
	f.StringVar(&o.aggregatedListen, "aggregated-listen", "", "address for the API groups conversion.crosswalk.dev and admission.crosswalk.dev behind APIServices (default: they are not served)")
	o.certs.addFlags(f)
	o.clients.addFlags(f)
	f.StringVar(&o.tlsMin, "tls-min-version", "1.3", "lowest TLS version: 1.2 or 1.3")
	f.DurationVar(&o.drainDelay, "drain-delay", 5*time.Second, "how long to go on serving after a signal, until every node has noticed that this process is not ready")
	f.Int64Var(&o.maxBody, "max-body-bytes", webhook.DefaultMaxBodyBytes, "size of the largest request body")
	f.Int64Var(&o.maxMemory, "max-memory-bytes", 0, "memory that this process may use; requests together may hold what tables and policies leave of it (default: GOMEMLIMIT, else five sixths of the container's limit, else no limit)")
	o.objects.addFlags(f)
	o.log.addFlags(f)
}

// fromFiles reports whether tables come from files, and not from the cluster.
func (o *serveOptions) fromFiles() bool { return len(o.config) > 0 }

// check checks what the types of the flags do not.
func (o *serveOptions) check() error {
	switch {
	case slices.Contains(o.config, ""):
		return usagef("--config is empty: name a file or folder with a CRD and its Crosswalk")
	case !isAddress(o.listen):
		return usagef("--listen %q: want HOST:PORT or :PORT", o.listen)
	case !isAddress(o.healthListen):
		return usagef("--health-listen %q: want HOST:PORT or :PORT", o.healthListen)
	case o.aggregatedListen != "" && !isAddress(o.aggregatedListen):
		return usagef("--aggregated-listen %q: want HOST:PORT or :PORT", o.aggregatedListen)
	case o.tlsMin != "1.2" && o.tlsMin != "1.3":
		return usagef("--tls-min-version %q: want 1.2 or 1.3", o.tlsMin)
	case o.drainDelay < 0:
		return usagef("--drain-delay %v: use 0s or more", o.drainDelay)
	case o.maxBody < 1 || o.maxBody > webhook.LargestMaxBodyBytes:
		return usagef("--max-body-bytes %d: want 1 to %d", o.maxBody, int64(webhook.LargestMaxBodyBytes))
	case o.maxMemory < 0:
		return usagef("--max-memory-bytes %d: want 0 or more", o.maxMemory)
	}
	if err := o.certs.check(o.fromFiles()); err != nil {
		return err
	}
	if err := o.clients.check(); err != nil {
		return err
	}
	if err := o.objects.check(); err != nil {
		return err
	}
	if err := o.cluster.check(); err != nil {
		return err
	}
	return o.log.check()
}

// isAddress reports whether the syntax of an address is valid. Whether this host has the
// address is known only when it is bound.
func isAddress(address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return false
	}
	_, err = net.LookupPort("tcp", port)
	return err == nil
}

func (o *serveOptions) tlsVersion() uint16 {
	if o.tlsMin == "1.2" {
		return tls.VersionTLS12
	}
	return tls.VersionTLS13
}
