package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/migrate"
)

func newMigrateCommand(program Options) *cobra.Command {
	o := migrateOptions{kubeOptions: kubeOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "migrate CRD...",
		Short: "Rewrite stored objects to the storage version, and trim storedVersions",
		Long: `Migrate rewrites every stored object of the named CustomResourceDefinitions to
their storage version, proves that each is stored in it, and then trims
status.storedVersions, so that older versions can be removed from the CRD.

Name a CRD by its name or, if only one CRD has it, by its plural, singular or short
name or its kind. Migrate uses the same cluster as kubectl.

A rewrite changes nothing but the bytes in etcd. generation and annotations stay.
managedFields change only if they name a version that is no longer served. Objects
that are already stored in the storage version keep their resourceVersion.

If an object fails, migrate names it, rewrites the others, and does not change
storedVersions. On SIGINT or SIGTERM it finishes the running requests, writes its
position to an annotation of the CRD, and exits with 1. The same command continues
from there, on any host.`,
		Example: `  # What it would do, and which objects would fail
  crosswalk migrate crontabs.stable.example.com --dry-run

  # Two CRDs, with at most ten requests per second
  crosswalk migrate crontabs.stable.example.com stars.example.com --qps 10`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.run(ctx, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *migrateOptions) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if err := o.check(args); err != nil {
		return err
	}
	config, err := o.connect("migrate")
	if err != nil {
		return err
	}
	migrator, err := migrate.New(migrate.Options{
		Config:    config,
		PageSize:  o.pageSize,
		Parallel:  o.parallel,
		QPS:       o.qps,
		DryRun:    o.dryRun,
		Compiling: []conversion.Option{o.program.compiling()},
		Console:   o.console(stdout, stderr),
	})
	if err != nil {
		return err
	}
	names, err := migrator.Resolve(ctx, args)
	var argument *migrate.ArgumentError
	if errors.As(err, &argument) {
		return &usageError{err}
	}
	if err != nil {
		return err
	}
	failed := false
	for i, name := range names {
		if err := migrator.Run(ctx, name); err != nil {
			failed = true
			fmt.Fprintf(stderr, "crosswalk: %v\n", err)
		}
		if ctx.Err() != nil && i+1 < len(names) {
			fmt.Fprintf(stderr, "crosswalk: not begun: %v\n", names[i+1:])
			return errReported
		}
	}
	if failed {
		return errReported
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
