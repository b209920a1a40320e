// Command build compiles the programs that the end-to-end tests and the
// demonstration run, and shows that it is alive while it does: from empty caches
// the control plane alone is two thousand packages.
//
//	go run ./build                       everything, into ../bin
//	go run ./build controlplane          only what is named
//	go run ./build -kubernetes 1.35      the control plane of another release, kubectl
//	                                     and etcdctl, into ../bin/kubernetes-1.35
//
// It imports nothing but the standard library, so that it starts at once on a
// machine that has downloaded nothing yet.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("build", flag.ExitOnError)
	out := flags.String("o", "", "the folder for the programs (default: bin in the repository's root)")
	version := flags.String("version", "", "what crosswalk says its version is (default: what Go knows of the commit)")
	kubernetes := flags.String("kubernetes", "", "a `release` of Kubernetes, such as 1.35: build its control plane, kubectl and etcdctl only")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(root, "bin")
		if *kubernetes != "" {
			*out = filepath.Join(*out, "kubernetes-"+*kubernetes)
		}
	}
	all, err := modules(root, *version)
	if *kubernetes != "" {
		all, err = ofKubernetes(root, *kubernetes)
	}
	if err != nil {
		return err
	}
	wanted, err := choose(all, flags.Args())
	if err != nil {
		return err
	}
	return build(ctx, wanted, root, *out, os.Stderr)
}

// choose returns the modules with no programs but those with the given names, or all
// if there are none.
func choose(all []module, names []string) ([]module, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	var chosen []module
	for _, m := range all {
		var programs []program
		for _, p := range m.programs {
			known = append(known, p.name)
			if slices.Contains(names, p.name) {
				programs = append(programs, p)
			}
		}
		if m.programs = programs; len(programs) > 0 {
			chosen = append(chosen, m)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown program %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// findRoot returns the repository's root: the nearest folder upwards that holds
// both this module and the one that it tests.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "e2e", "controlplane", "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not inside the repository; run it there", dir)
		}
	}
}
