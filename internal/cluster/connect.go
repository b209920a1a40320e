package cluster

import (
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// DefaultNamespace is where deploy/base installs Crosswalk.
const DefaultNamespace = "crosswalk-system"

// namespaceFile tells a container its Pod's namespace.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// Connect finds the API server: the one that the kubeconfig names, or, where
// the path is empty, the one of the cluster that this process runs in.
func Connect(kubeconfig, userAgent string) (*rest.Config, error) {
	config, err := connect(kubeconfig)
	if err != nil {
		return nil, err
	}
	config.UserAgent = userAgent
	// The API server's priority and fairness protect it better than a limit that
	// each client sets for itself.
	config.QPS = -1
	return config, nil
}

func connect(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, fmt.Errorf("this process does not run in a cluster (%w); name a kubeconfig with --kubeconfig", err)
		}
		return config, nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig %s: %w", kubeconfig, err)
	}
	return config, nil
}

// Namespace is the one that this process runs in, or DefaultNamespace.
func Namespace() string {
	text, err := os.ReadFile(namespaceFile)
	if namespace := strings.TrimSpace(string(text)); err == nil && namespace != "" {
		return namespace
	}
	return DefaultNamespace
}
