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

// namespaceFile holds the namespace of a container's Pod.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// Connect returns the connection to the API server of the kubeconfig or, if the path is empty,
// of the cluster in which this process runs.
func Connect(kubeconfig, userAgent string) (*rest.Config, error) {
	config, err := connect(kubeconfig)
	if err != nil {
		return nil, err
	}
	config.UserAgent = userAgent
	// The API server's priority and fairness protect it better than a limit in each client.
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

// Namespace returns the namespace in which this process runs, or DefaultNamespace.
func Namespace() string {
	text, err := os.ReadFile(namespaceFile)
	if namespace := strings.TrimSpace(string(text)); err == nil && namespace != "" {
		return namespace
	}
	return DefaultNamespace
}
