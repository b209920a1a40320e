package command

import (
	"slices"
	"time"

	"github.com/spf13/pflag"
)

// manageOptions holds the flags of manage.
type manageOptions struct {
	cluster         clusterOptions
	servicePort     int32
	replicas        []string
	certsFrom       string
	certsDir        string
	certsSecret     string
	authoritySecret string
	overlap         time.Duration
	certificate     string
	leaderElect     bool
	healthListen    string
	log             logOptions
}

func (o *manageOptions) addFlags(f *pflag.FlagSet) {
	o.cluster.addFlags(f)
	f.Int32Var(&o.servicePort, "service-port", 443, "the Service's port")
	f.StringArrayVar(&o.replicas, "replica", nil, "HOST:PORT of a replica of serve, if the Service has no EndpointSlices because serve runs outside the cluster (repeatable)")
	f.StringVar(&o.certsFrom, "certs", certsAuthority, "who issues serve's certificate: "+certsAuthority+" is this process, with its own CA; "+certsSecret+" is another issuer, such as cert-manager, which writes --certs-secret; "+certsFolder+" reads tls.crt, tls.key and ca.crt in --certs-dir")
	f.StringVar(&o.certsDir, "certs-dir", defaultCertsDir, "folder of the certificates")
	f.StringVar(&o.certsSecret, "certs-secret", defaultCertsSecret, "Secret of serve's certificate, in --namespace")
	f.StringVar(&o.authoritySecret, "authority-secret", "crosswalk-authority", "Secret of the CA and its key, in --namespace; only manage needs to read it")
	f.DurationVar(&o.overlap, "ca-overlap", 24*time.Hour, "how long a new CA must be in every bundle before a certificate that it signed is served")
	f.StringVar(&o.certificate, "cert-manager-certificate", "", "cert-manager's Certificate for --certs-secret; cainjector then writes the caBundles")
	f.BoolVar(&o.leaderElect, "leader-elect", true, "work only while holding the Lease crosswalk-manage, so that several replicas may run")
	f.StringVar(&o.healthListen, "health-listen", ":8081", "address for /livez, /readyz and /metrics, without TLS")
	o.log.addFlags(f)
}

// check checks what the types of the flags do not.
func (o *manageOptions) check() error {
	for _, replica := range o.replicas {
		if !isAddress(replica) {
			return usagef("--replica %q: want HOST:PORT", replica)
		}
	}
	switch {
	case o.servicePort < 1 || o.servicePort > 65535:
		return usagef("--service-port %d: want 1 to 65535", o.servicePort)
	case !slices.Contains([]string{certsAuthority, certsSecret, certsFolder}, o.certsFrom):
		return usagef("--certs %q: use %s, %s or %s", o.certsFrom, certsAuthority, certsSecret, certsFolder)
	case o.certsDir == "":
		return usagef("--certs-dir is empty")
	case o.certsSecret == "":
		return usagef("--certs-secret is empty")
	case o.authoritySecret == "":
		return usagef("--authority-secret is empty")
	case o.authoritySecret == o.certsSecret:
		return usagef("--authority-secret and --certs-secret are both %s: the CA's key must not be in the Secret that serve reads", o.certsSecret)
	case o.overlap < 0:
		return usagef("--ca-overlap %v: use 0s or more", o.overlap)
	case o.certificate != "" && o.certsFrom != certsSecret:
		return usagef("--cert-manager-certificate needs --certs %s, because cert-manager writes a Secret", certsSecret)
	case !isAddress(o.healthListen):
		return usagef("--health-listen %q: want HOST:PORT or :PORT", o.healthListen)
	}
	if err := o.cluster.check(); err != nil {
		return err
	}
	return o.log.check()
}
