package command

import (
	"log/slog"
	"path/filepath"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// certsOptions holds serve's flags for its certificate.
type certsOptions struct {
	from     string
	dir      string
	secret   string
	dnsNames []string
}

// The sources of certificates.
const (
	certsAuthority = "authority"
	certsFolder    = "folder"
	certsSecret    = "secret"
)

const (
	defaultCertsDir    = "crosswalk-certs"
	defaultCertsSecret = "crosswalk-serving"
)

func (o *certsOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.from, "certs", "", "where certificates come from: "+certsAuthority+" issues them and keeps them in --certs-dir, "+certsFolder+" reads tls.crt, tls.key and ca.crt in that folder, "+certsSecret+" reads them from --certs-secret (default: "+certsAuthority+" with --config, "+certsSecret+" without)")
	f.StringVar(&o.dir, "certs-dir", defaultCertsDir, "folder of the certificates")
	f.StringVar(&o.secret, "certs-secret", defaultCertsSecret, "Secret of the certificate, in --namespace")
	f.StringArrayVar(&o.dnsNames, "dns-name", []string{"localhost", "127.0.0.1"}, "DNS name or IP address for the authority's certificate, such as SERVICE.NAMESPACE.svc (repeatable)")
}

func (o *certsOptions) check(fromFiles bool) error {
	if o.from == "" {
		o.from = certsSecret
		if fromFiles {
			o.from = certsAuthority
		}
	}
	switch {
	case o.from != certsAuthority && o.from != certsFolder && o.from != certsSecret:
		return usagef("--certs %q: use %s, %s or %s", o.from, certsAuthority, certsFolder, certsSecret)
	case o.from == certsAuthority && !fromFiles:
		return usagef("--certs %s: in a cluster crosswalk manage is the authority; use %s, or %s", certsAuthority, certsSecret, certsFolder)
	case o.from == certsSecret && fromFiles:
		return usagef("--certs %s: with --config there is no cluster to read it from; use %s, or %s", certsSecret, certsAuthority, certsFolder)
	case o.dir == "":
		return usagef("--certs-dir is empty")
	case o.secret == "":
		return usagef("--certs-secret is empty")
	}
	if o.from == certsAuthority {
		if err := certs.CheckNames(o.dnsNames); err != nil {
			return usagef("--dns-name: %w", err)
		}
	}
	return nil
}

// source returns the source of certificates. The connection is nil if there is no cluster.
func (o *certsOptions) source(cluster *rest.Config, namespace string, log *slog.Logger) (certs.Source, error) {
	if o.from == certsSecret {
		return secretSource(cluster, namespace, o.secret, log)
	}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	if o.from == certsFolder {
		return certs.NewFolder(certs.FolderOptions{Dir: dir, Logger: log}), nil
	}
	return certs.NewAuthority(certs.AuthorityOptions{Dir: dir, Names: o.dnsNames, Logger: log})
}
