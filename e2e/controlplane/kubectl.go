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

// kubectl runs kubectl with args, whose first element is the program's name. It
// does what cmd/kubectl of k8s.io/kubernetes does.
func kubectl(args []string) {
	// kubectl reads os.Args in several places (plugins, .kuberc, verbosity), so
	// handing it arguments of its own would not reach all of them.
	os.Args = args
	// The only failure is a verbosity that is no number, which the command's own
	// flag parsing reports to the user.
	_, _ = logs.GlogSetter(cmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
