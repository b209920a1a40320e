// Command build compiles the programs that the end-to-end tests and the
// demonstration run, and shows that it is alive while it does: from empty caches
// the control plane alone is two thousand packages.
//
//	go run ./build                       everything, into ../bin
//	go run ./build controlplane          only what is named
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
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(root, "bin")
	}
	wanted, err := choose(flags.Args())
	if err != nil {
		return err
	}
	for _, p := range wanted {
		if err := p.build(ctx, root, *out, os.Stderr); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the programs with the given names, or all if there are none.
func choose(names []string) ([]program, error) {
	all := programs()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []program
	for _, name := range names {
		i := 0
		for i < len(all) && all[i].name != name {
			i++
		}
		if i == len(all) {
			var known []string
			for _, p := range all {
				known = append(known, p.name)
			}
			return nil, fmt.Errorf("unknown program %q; there are %s", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, all[i])
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
