// Command matrix runs the core of the end-to-end tests on every release of Kubernetes that
// controlplane can be built of, and writes the table in docs/kubernetes.md.
//
//	go run ./matrix                   all releases
//	go run ./matrix -release 1.35     one of them: only its row is written
//
// What the tests print is in bin/matrix, in a file for each release.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

// page is where the table is, from the repository's root.
var page = filepath.Join("docs", "kubernetes.md")

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("matrix", flag.ExitOnError)
	only := flags.String("release", "", "a `release` of Kubernetes, such as 1.35: test this one only")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := harness.FindRoot()
	if err != nil {
		return err
	}
	all, err := releases(root)
	if err != nil {
		return err
	}
	chosen := all
	if *only != "" {
		if chosen = slices.DeleteFunc(slices.Clone(all), func(r release) bool { return r.minor != *only }); len(chosen) == 0 {
			return fmt.Errorf("%s cannot be built; there are %s", *only, strings.Join(minors(all), ", "))
		}
	}
	logs := filepath.Join(root, "bin", "matrix")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return err
	}
	var failed []string
	for _, r := range chosen {
		log := filepath.Join(logs, r.minor+".log")
		fmt.Printf("Kubernetes %s, with etcd %s; all that is printed is in %s\n", r.kubernetes, r.etcd, log)
		verdict, err := r.test(ctx, root, log)
		if err != nil {
			return err
		}
		if !verdict.passed() {
			failed = append(failed, r.minor)
		}
		// After each release: the next takes its time.
		if err := writeRow(filepath.Join(root, page), all, r, verdict, time.Now()); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return errors.New("tests failed on " + strings.Join(failed, ", ") + ": see " + logs)
	}
	return nil
}
