// Command demo shows Crosswalk's main job on a real API server: it starts a
// control plane, installs Crosswalk in it as deploy/base says, applies an example,
// walks one object through its versions and keeps running, so that it can be tried
// by hand.
//
// It is what `make run` starts, after e2e/build has built what it needs.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

func main() {
	// A terminal that is closed says so by SIGHUP, and takes no output any more. Neither
	// must end us before what we have started has ended. Under nohup we go on.
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	signal.Ignore(syscall.SIGPIPE)
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	began := time.Now()
	programs, err := harness.FindPrograms()
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("demo", flag.ExitOnError)
	dir := flags.String("dir", filepath.Join(programs.Root, ".run"), "where data, logs, certificates and the kubeconfig are kept; emptied at the start")
	example := flags.String("example", "crontab", "the folder in examples that is shown")
	if err := flags.Parse(args); err != nil {
		return err
	}
	shown, err := choose(*example)
	if err != nil {
		return err
	}
	if *dir, err = filepath.Abs(*dir); err != nil {
		return err
	}
	release, err := claim(*dir)
	if err != nil {
		return err
	}
	defer release()

	d := demo{walk: shown, root: programs.Root, dir: *dir, example: *example, screen: newScreen(out)}
	table, err := harness.ReadTable(filepath.Join(programs.Root, "examples", cmp.Or(shown.table, *example)))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Starting etcd and kube-apiserver on loopback, and installing Crosswalk and the example ...")
	if d.scene, err = harness.StartScene(ctx, programs, *dir, harness.SceneOptions{Aggregated: shown.aggregated}, table); err != nil {
		return unlessStopped(ctx, err)
	}
	d.scene.ControlPlane.ExpectRefusals() // of what is tried out here
	stopControllers, err := d.startControllers(ctx)
	if err == nil {
		err = d.perform(ctx, began)
	}
	return errors.Join(unlessStopped(ctx, err), stopControllers(), d.scene.Stop())
}

// startControllers starts those controllers of Kubernetes that touch what can be
// tried here: owners, namespaces, ClusterRoles that add to others, and the
// ServiceAccounts without which no Pod is created.
func (d demo) startControllers(ctx context.Context) (stop func() error, err error) {
	log, err := os.Create(d.scene.Log("controllers.log"))
	if err != nil {
		return func() error { return nil }, err
	}
	controllers, err := d.scene.ControlPlane.StartControllers(ctx, log)
	if err != nil {
		return log.Close, err
	}
	return func() error { return errors.Join(controllers.Stop(), log.Close()) }, nil
}

// choose returns the walk of an example.
func choose(example string) (walk, error) {
	all := walks()
	chosen, ok := all[example]
	if !ok {
		names := slices.Sorted(maps.Keys(all))
		return walk{}, fmt.Errorf("there is no example %q; there are %s", example, strings.Join(names, ", "))
	}
	return chosen, nil
}

// demo is a scene, what to show in it and where.
type demo struct {
	walk
	root    string // the repository's folder
	dir     string
	example string
	scene   *harness.Scene
	screen
}

// perform walks an object through the versions and waits for the end.
func (d demo) perform(ctx context.Context, began time.Time) error {
	if err := d.scene.ControlPlane.LinkClients(filepath.Join(d.dir, "bin")); err != nil {
		return err
	}
	if err := d.show(ctx); err != nil {
		return err
	}
	d.sayWhatNext(time.Since(began))
	select {
	case <-ctx.Done():
		fmt.Fprintln(d.out, "\nStopping.")
		return nil
	case <-d.scene.ControlPlane.Exited():
		return fmt.Errorf("the control plane ended by itself; see %s", d.scene.Log("controlplane.log"))
	}
}

// unlessStopped is err, unless it came from being told to stop.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
