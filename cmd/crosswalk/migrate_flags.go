package main

import (
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// migrateOptions are the flags of migrate.
type migrateOptions struct {
	kubeconfig string
	context    string
	pageSize   int
	parallel   int
	qps        float32
	dryRun     bool
	quiet      bool
}

func (o *migrateOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig to use (default: as kubectl: $KUBECONFIG, ~/.kube/config, or the cluster that this runs in)")
	f.StringVar(&o.context, "context", "", "context of the kubeconfig (default: its current one)")
	f.IntVar(&o.pageSize, "page-size", 500, "how many objects to list at once")
	f.IntVar(&o.parallel, "parallel", 8, "how many objects to rewrite at once")
	f.Float32Var(&o.qps, "qps", 50, "most requests per second, 0 for no limit; an object takes one if it is in the storage version already, else two or three")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing: say what would be done, and which objects would fail")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "tell no progress")
}

// check refuses what no flag's type refuses.
func (o *migrateOptions) check(args []string) error {
	switch {
	case len(args) == 0:
		return usagef("name the CustomResourceDefinitions to migrate: kubectl get crds lists them")
	case slices.Contains(args, ""):
		return usagef("the name of a CustomResourceDefinition is empty")
	case o.pageSize < 1:
		return usagef("--page-size %d: want 1 or more", o.pageSize)
	case o.parallel < 1:
		return usagef("--parallel %d: want 1 or more", o.parallel)
	case !(o.qps >= 0): // NaN too
		return usagef("--qps %v: want 0 or more", o.qps)
	}
	return nil
}

// connect finds the API server as kubectl does.
func (o *migrateOptions) connect() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: o.context}).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, usagef("no cluster is known: name a kubeconfig with --kubeconfig or $KUBECONFIG, or run this in the cluster")
	}
	if err != nil {
		return nil, usagef("the kubeconfig: %w", err)
	}
	config.UserAgent = "crosswalk/" + version() + " migrate"
	return config, nil
}
