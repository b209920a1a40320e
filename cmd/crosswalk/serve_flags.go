package main

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/webhook"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	config       []string
	listen       string
	healthListen string
	certsFrom    string
	certsDir     string
	dnsNames     []string
	tlsMin       string
	drainDelay   time.Duration
	maxBody      int64
	logFormat    string
}

// Where certificates come from.
const (
	certsAuthority = "authority"
	certsFolder    = "folder"
)

func (o *serveOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.config, "config", nil, "file or folder with CRDs and Crosswalks, YAML or JSON (repeatable)")
	f.StringVar(&o.listen, "listen", ":8443", "address for the API server")
	f.StringVar(&o.healthListen, "health-listen", ":8081", "address for /livez, /readyz and /metrics, without TLS")
	f.StringVar(&o.certsFrom, "certs", certsAuthority, "where certificates come from: "+certsAuthority+" makes its own and keeps them in --certs-dir, "+certsFolder+" reads tls.crt, tls.key and ca.crt there")
	f.StringVar(&o.certsDir, "certs-dir", "crosswalk-certs", "folder of the certificates")
	f.StringArrayVar(&o.dnsNames, "dns-name", []string{"localhost", "127.0.0.1"}, "DNS name or IP address that the authority certifies, such as SERVICE.NAMESPACE.svc (repeatable)")
	f.StringVar(&o.tlsMin, "tls-min-version", "1.3", "lowest TLS version: 1.2 or 1.3")
	f.DurationVar(&o.drainDelay, "drain-delay", 5*time.Second, "how long to serve on after a signal, until the last node has heard that this process is not ready")
	f.Int64Var(&o.maxBody, "max-body-bytes", webhook.DefaultMaxBodyBytes, "largest request body")
	f.StringVar(&o.logFormat, "log-format", "json", "log lines as json or text")
}

// check refuses what no flag's type refuses.
func (o *serveOptions) check() error {
	switch {
	case len(o.config) == 0:
		return usagef("--config is missing: name a file or folder with a CRD and its Crosswalk")
	case slices.Contains(o.config, ""):
		return usagef("--config is empty: name a file or folder with a CRD and its Crosswalk")
	case !isAddress(o.listen):
		return usagef("--listen %q: want HOST:PORT or :PORT", o.listen)
	case !isAddress(o.healthListen):
		return usagef("--health-listen %q: want HOST:PORT or :PORT", o.healthListen)
	case o.certsFrom != certsAuthority && o.certsFrom != certsFolder:
		return usagef("--certs %q: want %s or %s", o.certsFrom, certsAuthority, certsFolder)
	case o.certsDir == "":
		return usagef("--certs-dir is empty")
	case o.tlsMin != "1.2" && o.tlsMin != "1.3":
		return usagef("--tls-min-version %q: want 1.2 or 1.3", o.tlsMin)
	case o.drainDelay < 0:
		return usagef("--drain-delay %v: want 0s or more", o.drainDelay)
	case o.maxBody < 1 || o.maxBody > webhook.LargestMaxBodyBytes:
		return usagef("--max-body-bytes %d: want 1 to %d", o.maxBody, int64(webhook.LargestMaxBodyBytes))
	case o.logFormat != "json" && o.logFormat != "text":
		return usagef("--log-format %q: want json or text", o.logFormat)
	}
	return nil
}

// isAddress says whether an address is written like one. Whether this host has
// it is known only when it is bound.
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

func (o *serveOptions) logger(w io.Writer) *slog.Logger {
	if o.logFormat == "text" {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}
