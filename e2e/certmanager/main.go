// Command certmanager runs cert-manager's own controllers and its cainjector,
// the released code of the version in go.mod, against an API server. It is a
// child of tests: it ends with its standard input.
//
//	certmanager --kubeconfig PATH
//
// It prints the line "ready" once every cache is filled, and a line "settled KIND NAME
// RESOURCEVERSION" for each state of an object with a caBundle that cainjector will not
// overwrite with what it read before (settled.go). cert-manager's CRDs must
// be there first; they are in its module's deploy/crds. Its admission webhook is
// left out: it needs a server of its own and only checks and defaults what a test
// can write in full.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	// Not flag.CommandLine, where controller-runtime has a --kubeconfig of its own.
	flags := flag.NewFlagSet("certmanager", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "how to reach the API server, with the rights of an administrator")
	timeout := flags.Duration("timeout", time.Minute, "how long the caches may take to fill")
	_ = flags.Parse(os.Args[1:]) // ends the program if it fails
	if *kubeconfig == "" {
		fmt.Fprintln(os.Stderr, "certmanager: --kubeconfig is missing")
		os.Exit(2)
	}
	log := klog.Background()
	ctrl.SetLogger(log)
	ctx, stop := signal.NotifyContext(klog.NewContext(context.Background(), log), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		// The end of the pipe is seen however the parent died.
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	if err := run(ctx, *kubeconfig, *timeout, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "certmanager:", err)
		os.Exit(1)
	}
}

// run runs everything until ctx ends or something fails.
func run(ctx context.Context, kubeconfig string, timeout time.Duration, out io.Writer) error {
	told := ctx
	group, ctx := errgroup.WithContext(ctx)
	issuing, err := startIssuing(ctx, group, kubeconfig)
	if err != nil {
		return fmt.Errorf("controllers: %w", err)
	}
	injecting, err := startCAInjector(ctx, group, kubeconfig, out)
	if err != nil {
		return fmt.Errorf("cainjector: %w", err)
	}
	group.Go(func() error {
		filling, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		if !issuing(filling.Done()) || !injecting(filling) {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("caches are not filled after %s; are cert-manager's CRDs installed?", timeout)
		}
		_, err := fmt.Fprintln(out, "ready")
		return err
	})
	if err := group.Wait(); told.Err() == nil {
		return err
	}
	return nil // told to stop
}
