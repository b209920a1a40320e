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
		Short: "Prove tables: objects come back as they were, whatever they are and whoever edits them",
		Long: `Prove tables: objects come back as they were, whatever they are and whoever
edits them.

From the schemas of each CRD it makes objects: every keyword that a schema can
have, fragments, values of the wrong type and forged stashes. It converts them
between all versions, edits them on the way, and holds what comes back to the
laws of conversion, with and without what the API server does in between. What
breaks a law is made as small as it can be, and shown with the row to blame.

Real objects are worth more than made ones: --samples reads them from files, in
any version, and --from-cluster from a cluster. All laws are tried on them, too,
with generated edits. Values of places that a table calls sensitive are replaced
before anything is done with an object, and never shown.

The same seed makes the same objects, and the same output. On SIGINT or SIGTERM
it ends and reports what has been tried.

Exit codes: 0 every law holds; 1 one does not, or not everything was tried;
2 flags, configuration or a sample are wrong.`,
		Example: `  # Before a table is applied
  crosswalk verify --config examples/crontab

  # With what is in the repository, in CI
  crosswalk verify --config examples/crontab --samples examples/crontab/objects -o junit

  # With every CronTab of a cluster, before a new table gets them
  crosswalk verify --config examples/crontab --cases 0 --from-cluster --context production`,
		Args: noArguments("files are given with --config and --samples"),
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
		return usagef("there is no object in %s", strings.Join(o.samples, ", "))
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
		fmt.Fprintf(stderr, "crosswalk: samples that no table is for are left out: %s\n", strings.Join(others, ", "))
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

// trial loads the tables that are on trial.
func (o *verifyOptions) trial(progress *progress) (*trial.Trial, error) {
	compiling := []conversion.Option{o.program.compiling(), o.objects.compiling()}
	loaded, err := config.Load(o.config)
	if err == nil {
		err = loaded.NeedTables()
	}
	if err == nil {
		// For messages with the lines of rows.
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
	said, err := []byte(nil), error(nil)
	switch o.output {
	case "json":
		said, err = r.JSON()
	case "junit":
		said, err = r.JUnit()
	default:
		said = []byte(r.Text())
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(said); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}
