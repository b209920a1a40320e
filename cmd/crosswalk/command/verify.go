package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/trial"
)

func newVerifyCommand(program Options) *cobra.Command {
	o := verifyOptions{kubeOptions: kubeOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "verify --config PATH [--samples PATH | --from-cluster]",
		Short: "Prove that tables lose nothing, whatever objects hold and whoever edits them",
		Long: `Prove that tables lose nothing, whatever objects hold and whoever edits them.

From the schemas of each CRD, verify generates objects: with every keyword that a
schema can have, with fields missing, with values of the wrong type and with forged
stashes. It converts them between all versions, edits them in between, and checks the
results against the laws of conversion, with and without the API server's own steps in
between. An object that breaks a law is made as small as possible, and shown with the
row that is to blame.

Real objects find more than generated ones: --samples reads them from files, in any
version, and --from-cluster from a cluster. All laws are checked on them, too, with
generated edits. Values that a table marks as sensitive are replaced before anything
is done with an object, and never shown.

The same seed generates the same objects, and the same output. On SIGINT or SIGTERM
verify ends and reports what it has tried.

Exit codes: 0 every law holds; 1 a law is broken, or not everything was tried;
2 flags, configuration or a sample are wrong.`,
		Example: `  # Before a table is applied
  crosswalk verify --config examples/crontab

  # With the objects in a repository, in CI
  crosswalk verify --config examples/crontab --samples examples/crontab/objects -o junit

  # With every CronTab of a cluster, before a new table converts them
  crosswalk verify --config examples/crontab --cases 0 --from-cluster --context production`,
		Args: noArguments("name files with --config and --samples"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.run(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *verifyOptions) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	progress := newProgress(stderr)
	defer progress.stop()
	trying, err := o.trial(progress)
	if err != nil {
		return err
	}
	objects, err := readObjects(o.samples, stdin)
	if err != nil {
		return err
	}
	if len(o.samples) > 0 && len(objects) == 0 {
		return usagef("no object found in %s", strings.Join(o.samples, ", "))
	}
	var samples []trial.Sample
	for _, object := range objects {
		samples = append(samples, trial.Sample{JSON: object.JSON, Source: object.Source})
	}
	others, err := trying.Add(samples)
	if err != nil {
		return &usageError{err}
	}
	if len(others) > 0 {
		fmt.Fprintf(stderr, "crosswalk: left out samples of kinds without a table: %s\n", strings.Join(others, ", "))
	}
	var unread error
	if o.fromCluster {
		config, err := o.connect("verify")
		if err != nil {
			return err
		}
		trying.Run(ctx)
		unread = trying.RunCluster(ctx, config)
	} else {
		trying.Run(ctx)
	}
	progress.stop()
	report := trying.Report(o.command())
	if err := o.print(stdout, report); err != nil {
		return err
	}
	switch {
	case errors.Is(unread, trial.ErrNotInCluster):
		return &usageError{unread}
	case unread != nil:
		return unread
	case !report.Holds || report.Interrupted:
		return errReported
	}
	return nil
}

// trial loads the tables to verify.
func (o *verifyOptions) trial(progress *progress) (*trial.Trial, error) {
	compiling := []conversion.Option{o.program.compiling(), o.objects.compiling()}
	loaded, err := config.Load(o.config)
	if err == nil {
		err = loaded.NeedTables()
	}
	if err == nil {
		// For messages with the line numbers of rows.
		_, err = loaded.Compile(compiling...)
	}
	if err != nil {
		return nil, &usageError{err}
	}
	trying, err := trial.New(loaded, trial.Options{
		Seed: o.seed, Cases: o.cases, Compiling: compiling, Compile: o.compile,
		Tick: progress.ticks, Say: progress.say,
	})
	if err != nil {
		return nil, &usageError{err}
	}
	return trying, nil
}

func (o *verifyOptions) print(stdout io.Writer, r *trial.Report) error {
	output, err := []byte(nil), error(nil)
	switch o.output {
	case "json":
		output, err = r.JSON()
	case "junit":
		output, err = r.JUnit()
	default:
		output = []byte(r.Text())
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(output); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}
