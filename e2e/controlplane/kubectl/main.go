// Command kubectl is the released kubectl of the version in go.mod. It is a program
// apart from the control plane, which takes half as long again to start, because
// tests run it some hundred times.
package main

import (
	"os"

	// Client authentication plugins, as the released kubectl has them.
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

// main does what cmd/kubectl of k8s.io/kubernetes does.
func main() {
	// The only failure is a verbosity that is no number, which the command's own
	// flag parsing reports to the user.
	_, _ = logs.GlogSetter(cmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
