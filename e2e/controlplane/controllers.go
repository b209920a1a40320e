package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

const controllersUsage = `controlplane controllers --kubeconfig PATH [flags]

Runs controllers of kube-controller-manager until SIGTERM or SIGINT. It prints
one line that begins with "ready" when they run; whether they get on is for
their log, on standard error, to say.

The storage version migrator works on what the garbage collector watches, and
needs an API server with
  --feature-gates=StorageVersionMigrator=true
  --runtime-config=storagemigration.k8s.io/v1beta1=true

`

// controllersOptions are the flags of the command controllers.
type controllersOptions struct {
	kubeconfig string
	garbage    bool
	namespaces bool
	roles      bool
	accounts   bool
	migrator   bool
	period     time.Duration
}

// controllers is the command of the same name. It returns the exit code.
func controllers(args []string) int {
	flags := flag.NewFlagSet("controllers", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), controllersUsage)
		flags.PrintDefaults()
	}
	var o controllersOptions
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "who the controllers are and where the API server is")
	flags.BoolVar(&o.garbage, "garbage-collector", true, "delete what has lost its owners")
	flags.BoolVar(&o.namespaces, "namespaces", true, "empty namespaces that are deleted")
	flags.BoolVar(&o.roles, "cluster-roles", true, "fill in ClusterRoles that aggregate others")
	flags.BoolVar(&o.accounts, "service-accounts", true, "make the ServiceAccount default in every namespace")
	flags.BoolVar(&o.migrator, "storage-version-migrator", false, "rewrite stored objects for StorageVersionMigrations")
	flags.DurationVar(&o.period, "discovery-period", 30*time.Second, "how often the garbage collector looks for new resources;\nkube-controller-manager has 30s")
	attached := flags.Bool("attached", false, "stop when standard input ends")
	klog.InitFlags(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	switch {
	case o.kubeconfig == "":
		fmt.Fprintln(os.Stderr, "controlplane controllers: --kubeconfig is missing; name the one of controlplane run")
		return 2
	case o.migrator && !o.garbage:
		fmt.Fprintln(os.Stderr, "controlplane controllers: --storage-version-migrator needs --garbage-collector, which watches what it migrates")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if *attached {
		go func() {
			defer stop()
			waitForEnd(os.Stdin)
		}()
	}
	if err := o.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		return 1
	}
	return 0
}

// run runs what is switched on until ctx ends.
func (o controllersOptions) run(ctx context.Context, out io.Writer) error {
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	// They have the API server to themselves.
	config.QPS = -1
	shared, err := newControllerContext(ctx, config, o.period)
	if err != nil {
		return err
	}
	var loops []loop
	for _, add := range []struct {
		wanted bool
		make   func(context.Context, *controllerContext) ([]loop, error)
	}{
		{o.garbage, garbageCollector},
		{o.namespaces, namespaceController},
		{o.roles, clusterRoles},
		{o.accounts, serviceAccounts},
		{o.migrator, storageVersionMigrator},
	} {
		if !add.wanted {
			continue
		}
		more, err := add.make(ctx, shared)
		if err != nil {
			return err
		}
		loops = append(loops, more...)
	}
	shared.start(ctx)
	var running sync.WaitGroup
	for _, run := range loops {
		running.Go(func() { run(ctx) })
	}
	fmt.Fprintln(out, "ready")
	running.Wait()
	return nil
}

// loop is a part of a controller; it runs until its context ends.
type loop func(context.Context)
