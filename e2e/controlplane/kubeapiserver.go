package main

import (
	"os"

	"k8s.io/component-base/cli"
	// Registrations that cmd/kube-apiserver of k8s.io/kubernetes makes.
	_ "time/tzdata"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// kubeAPIServer runs kube-apiserver with its own flags and returns its exit
// code. A first argument of --attached ties it to its standard input: it dies
// when that ends, so a killed parent leaves no API server behind.
func kubeAPIServer(args []string) int {
	if len(args) > 0 && args[0] == attachedFlag {
		args = args[1:]
		go func() {
			waitForEnd(os.Stdin)
			// Its etcd died with the parent, so there is nothing to finish.
			os.Exit(1)
		}()
	}
	command := app.NewAPIServerCommand()
	command.SetArgs(args)
	return cli.Run(command)
}
