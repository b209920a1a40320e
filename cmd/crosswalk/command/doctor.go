package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/doctor"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
	"github.com/crosswalk-dev/crosswalk/internal/report"
	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// doctorOptions holds the flags of doctor.
type doctorOptions struct {
	kubeOptions
	namespace string
	service   string
	output    string
}

func newDoctorCommand(program Options) *cobra.Command {
	o := doctorOptions{kubeOptions: kubeOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps Crosswalk from working in a cluster",
		Long: `Doctor checks an installation of Crosswalk: the API server, the Service, the
replicas of serve and manage, the certificate and every caBundle, a conversion
through the API server, the webhook configurations, the rights of both
ServiceAccounts, tables, policies, stored versions, and the stashes of objects.

For everything that is wrong it prints the cause, and a command that mends it or
shows more. It uses the same cluster as kubectl, and changes nothing in it.

What you may not read is printed as not checked.

Exit codes: 0 everything was checked, and there is no problem; 1 there is a
problem; 2 no problem was found, but not everything could be checked, or flags are
wrong.`,
		Example: `  crosswalk doctor

  # For programs
  crosswalk doctor --output json`,
		Args: noArguments("doctor checks the whole installation"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.run(ctx, cmd.OutOrStdout())
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *doctorOptions) addFlags(f *pflag.FlagSet) {
	o.kubeOptions.addFlags(f)
	f.StringVar(&o.namespace, "namespace", "", "namespace of Crosswalk (default: that of the Service with Crosswalk's labels)")
	f.StringVar(&o.service, "service", "", "Service of serve (default: the one with Crosswalk's labels)")
	f.StringVarP(&o.output, "output", "o", "text", "format to print: text or json")
}

func (o *doctorOptions) run(ctx context.Context, stdout io.Writer) error {
	if o.output != "text" && o.output != "json" {
		return usagef("--output %s: use text or json", o.output)
	}
	config, err := o.connect("doctor")
	if err != nil {
		return err
	}
	options := doctor.Options{
		Config: config, Service: cluster.Service{Namespace: o.namespace, Name: o.service}, Roles: roles{o.program},
	}
	text := o.output == "text"
	var failure error // to write
	if text {
		options.Checked = func(c doctor.Check) {
			if _, err := io.WriteString(stdout, c.Text()); err != nil {
				failure = err
			}
		}
	}
	found, err := doctor.Run(ctx, options)
	if err != nil {
		return err
	}
	end := []byte("\n" + found.Summary())
	if !text {
		if end, err = report.JSON(found); err != nil {
			return err
		}
	}
	if _, err := stdout.Write(end); err != nil {
		return err
	}
	switch {
	case failure != nil:
		return failure
	case ctx.Err() != nil, found.State == doctor.NotChecked:
		return errUnsure
	case found.State == doctor.Faulty:
		return errReported
	}
	return nil
}

// roles reads the flags of serve and manage.
type roles struct{ program Options }

// parse reads the arguments of a container, the first of which is the name of the command.
func parse(name string, args []string, add func(*pflag.FlagSet)) error {
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	add(flags)
	if len(args) > 0 && args[0] == name {
		args = args[1:]
	}
	return flags.Parse(args)
}

// Manage implements [doctor.Roles].
func (r roles) Manage(args []string, service cluster.Service) (manage.Options, error) {
	o := manageOptions{cluster: clusterOptions{program: r.program}}
	err := parse("manage", args, o.addFlags)
	o.cluster.namespace, o.cluster.service = service.Namespace, service.Name
	if err == nil {
		err = o.check()
	}
	return o.options(), err
}

// Serve implements [doctor.Roles].
func (r roles) Serve(args []string, service cluster.Service) ([]rights.Right, error) {
	o := serveOptions{cluster: clusterOptions{program: r.program}}
	err := parse("serve", args, o.addFlags)
	o.cluster.namespace, o.cluster.service = service.Namespace, service.Name
	if err == nil {
		err = o.check()
	}
	return o.rights(), err
}
