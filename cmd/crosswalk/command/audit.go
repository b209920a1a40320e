package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	authenticationv1 "k8s.io/api/authentication/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/audit"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// auditOptions holds the flags of audit.
type auditOptions struct {
	kubeOptions
	bulkOptions
	namespace string
	as        string
	groups    []string
	output    string
}

func newAuditCommand(program Options) *cobra.Command {
	o := auditOptions{kubeOptions: kubeOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "audit [RESOURCE...]",
		Short: "Find existing objects that break a policy, or that a version cannot show",
		Long: `Audit reads the objects of a cluster and asks about each: would it be accepted if
it were created now? It prints what ValidationPolicies have against it, also those
that only warn or note. It also prints which objects of a kind with a Crosswalk
cannot be shown in every served version, and why.

Without arguments, audit reads all resources that a policy matches or that have a
Crosswalk. Name resources as for kubectl. Audit uses the same cluster as kubectl,
and changes nothing in it.

Not audited are objects that are being deleted, policies that match no creation, and
policies whose result depends on who writes the object, unless --as names a writer.
Changes by MutationPolicies are not made.

Exit codes: 0 nothing was found; 1 something was found; 2 nothing was found, but not
everything could be audited, or arguments are wrong.`,
		Example: `  crosswalk audit

  # Two resources, in one namespace
  crosswalk audit crontabs deployments.apps -n shop

  # Reports for dashboards: https://github.com/openreports/reports-api
  crosswalk audit --output reports | kubectl apply --server-side -f -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.run(ctx, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *auditOptions) addFlags(f *pflag.FlagSet) {
	o.kubeOptions.addFlags(f)
	f.StringVarP(&o.namespace, "namespace", "n", "", "namespace whose objects are audited (default: all objects)")
	f.StringVar(&o.as, "as", "", "user who is taken to write the objects, for policies that depend on that")
	f.StringArrayVar(&o.groups, "as-group", nil, "group of that user (repeatable)")
	f.StringVarP(&o.output, "output", "o", "text", "format to print: text, json or reports")
	o.bulkOptions.addFlags(f, "most lists per second, 0 for no limit; what policies look up is not limited")
}

// check checks what the types of the flags do not.
func (o *auditOptions) check(args []string) error {
	switch {
	case slices.Contains(args, ""):
		return usagef("the name of a resource is empty")
	case o.output != "text" && o.output != "json" && o.output != "reports":
		return usagef("--output %s: use text, json or reports", o.output)
	case len(o.groups) > 0 && o.as == "":
		return usagef("--as-group needs --as, the user with that group")
	}
	return o.bulkOptions.check()
}

func (o *auditOptions) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if err := o.check(args); err != nil {
		return err
	}
	config, err := o.connect("audit")
	if err != nil {
		return err
	}
	options := audit.Options{
		Config: config, Resources: args, Namespace: o.namespace, Writer: o.writer(),
		PageSize: o.pageSize, QPS: o.qps, Compiling: []conversion.Option{o.program.compiling()},
		Console: o.console(stdout, stderr),
		Logger:  slog.New(slog.DiscardHandler), // what could not be looked up is in the report
	}
	if o.output == "text" {
		options.Found = func(of *audit.Resource, f audit.Finding) { options.Console.Print(f.Text(of.Name)) }
	}
	found, err := audit.Run(ctx, options)
	var argument *audit.ArgumentError
	if errors.As(err, &argument) {
		return &usageError{err}
	}
	if err != nil {
		fmt.Fprintf(stderr, "crosswalk: %v\n", err)
		return errUnsure
	}
	if err := o.print(stdout, found); err != nil {
		return err
	}
	if o.output == "reports" {
		for _, omission := range found.NotAudited {
			fmt.Fprintf(stderr, "crosswalk: %s\n", omission.Text())
		}
	}
	switch found.State() {
	case audit.Found:
		return errReported
	case audit.Unsure:
		return errUnsure
	}
	return nil
}

func (o *auditOptions) writer() *authenticationv1.UserInfo {
	if o.as == "" {
		return nil
	}
	// Every user who has logged in has this group.
	return &authenticationv1.UserInfo{Username: o.as, Groups: append(slices.Clone(o.groups), "system:authenticated")}
}

func (o *auditOptions) print(stdout io.Writer, found *audit.Report) error {
	switch o.output {
	case "text":
		_, err := io.WriteString(stdout, found.Summary())
		return err
	case "json":
		text, err := report.JSON(found)
		if err != nil {
			return err
		}
		_, err = stdout.Write(text)
		return err
	}
	out := bufio.NewWriter(stdout)
	for _, one := range found.OpenReports(time.Now()) {
		text, err := yaml.Marshal(one)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "---\n%s", text); err != nil {
			return err
		}
	}
	return out.Flush()
}
