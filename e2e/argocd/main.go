// Argo CD's engine, comparison and health checks as a program, for tests: it does to a
// cluster what the application controller does for one Application.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "argocd:", err)
		os.Exit(1)
	}
}

// run reads manifests from standard input. sync applies them, wave by wave; compare says
// what differs from them in the cluster, and how healthy each object is. Both write JSON
// to standard output: an object for each manifest.
func run() error {
	flags := flag.NewFlagSet("argocd sync|compare", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the cluster's kubeconfig; the ConfigMap argocd-cm in its namespace argocd holds the settings")
	options := options{}
	flags.BoolVar(&options.serverSideApply, "server-side-apply", false, "as with the sync option ServerSideApply=true")
	flags.BoolVar(&options.serverSideDiff, "server-side-diff", false, "compare as with the annotation compare-options: ServerSideDiff=true")
	limit := flags.Duration("timeout", time.Minute, "how long it may take")
	if len(os.Args) < 2 {
		return errors.New("say what to do: sync or compare")
	}
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	a, err := open(ctx, *kubeconfig, options, os.Stdin)
	if err != nil {
		return err
	}
	var said any
	switch os.Args[1] {
	case "sync":
		said, err = a.sync(ctx)
	case "compare":
		said, err = a.compare(ctx)
	default:
		return fmt.Errorf("%q is neither sync nor compare", os.Args[1])
	}
	// What is known is told even where the whole failed.
	return errors.Join(err, json.NewEncoder(os.Stdout).Encode(said))
}
