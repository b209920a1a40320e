package command

import (
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// kubeOptions holds the flags of the commands that connect to a cluster from outside, as
// kubectl does.
type kubeOptions struct {
	program    Options
	kubeconfig string
	context    string
}

func (o *kubeOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig to use (default: as kubectl: $KUBECONFIG, ~/.kube/config, or the cluster that this runs in)")
	f.StringVar(&o.context, "context", "", "context of the kubeconfig (default: its current one)")
}

// connect finds the API server as kubectl does.
func (o *kubeOptions) connect(command string) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: o.context}).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, usagef("no cluster found: name a kubeconfig with --kubeconfig or $KUBECONFIG, or run this command in the cluster")
	}
	if err != nil {
		return nil, usagef("the kubeconfig: %w", err)
	}
	config.UserAgent = "crosswalk/" + o.program.version() + " " + command
	return config, nil
}
