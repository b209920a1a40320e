package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

type admitOptions struct {
	program Options
	config  []string
	context []string
	output  string
	// For objects.
	files       []string
	old         string
	operation   string
	subresource string
	as          string
	groups      []string
	namespace   string
	// For cases.
	cases []string
}

func newAdmitCommand(program Options) *cobra.Command {
	o := admitOptions{program: program}
	cmd := &cobra.Command{
		Use:   "admit --config PATH {-f FILE [--old FILE] | --cases PATH}",
		Short: "Judge objects by policies, tables and schemas, without a cluster",
		Long: `Judge objects by policies, tables and schemas, without a cluster.

It plays the API server: an object is pruned and gets its defaults, mutation
policies and the guard of its table change it, its schema judges it and, if
that passes it, strict writes and validation policies do. What is printed is
the verdict, what kubectl would say, and the object with what has changed.

Every object in -f is created, or with --old written over another one; with
--old alone that one is deleted. With --subresource -f is what is sent there, as
an Eviction or PodExecOptions, with the name of the object that it is about; a
Scale has in --old what is scaled. Other objects, which lookups, params and
namespace selectors see, are in --context. Nobody answers for authorizer.
Where an expression of a policy does not fit the schema of an object that the
policy is about, as when it names a field that is not there, a line on standard
error warns of it.
An object that cannot be judged, because nothing is known of its kind, is named
on standard error; the others are judged, and the exit code is 1.

With --cases every document in a file or folder is a case: a write and the
verdict that is expected. docs/policies.md describes them.

Exit codes: 0 allowed, or every case is as expected; 1 denied, or a case is
not; 2 flags, configuration or a file are wrong.`,
		Example: `  # What would become of this object
  crosswalk admit --config examples/crontab -f crontab.yaml

  # May bob make this change
  crosswalk admit --config examples/crontab -f new.yaml --old old.yaml --as bob

  # Which objects of a cluster would a new policy deny
  kubectl get crontabs -A -o yaml | crosswalk admit --config examples/crontab -f -

  # Tests in CI
  crosswalk admit --config examples/crontab --cases examples/crontab/cases -o junit`,
		Args: noArguments("objects are given with -f, and cases with --cases"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.config, "config", nil, "file or folder with policies, CustomResourceDefinitions and Crosswalks; repeatable")
	flags.StringArrayVarP(&o.files, "filename", "f", nil, "file or folder with the objects to judge, - is standard input; repeatable")
	flags.StringVar(&o.old, "old", "", "file with the object that is written over or, without -f, deleted")
	flags.StringVar(&o.operation, "operation", "", "CREATE, UPDATE, DELETE or CONNECT (default: what -f, --old and --subresource say)")
	flags.StringVar(&o.subresource, "subresource", "", "subresource that is written: status, scale, eviction, exec and others of Kubernetes")
	flags.StringVar(&o.as, "as", "", "user who writes (default: kubernetes-admin)")
	flags.StringArrayVar(&o.groups, "as-group", nil, "group of that user; repeatable")
	flags.StringVarP(&o.namespace, "namespace", "n", "default", "namespace of objects that name none")
	flags.StringArrayVar(&o.context, "context", nil, "file or folder with the other objects that there are; repeatable")
	flags.StringArrayVar(&o.cases, "cases", nil, "file or folder with cases; repeatable")
	flags.StringVarP(&o.output, "output", "o", "text", "format to print: text, json or, of cases, junit")
	return cmd
}

// check says which flags are missing, or do not go together.
func (o *admitOptions) check(changed func(flag string) bool) error {
	switch {
	case len(o.config) == 0:
		return usagef("--config is missing: name the files or folders with the policies, CRDs and tables")
	case slices.Contains(slices.Concat(o.config, o.files, o.context, o.cases), ""):
		return usagef("a path is empty: name a file or folder")
	case len(o.cases) == 0 && len(o.files) == 0 && o.old == "":
		return usagef("what is to be judged? Name objects with -f, or cases with --cases")
	case !slices.Contains([]string{"text", "json", "junit"}, o.output):
		return usagef("--output %s: there are text, json and, of cases, junit", o.output)
	case o.output == "junit" && len(o.cases) == 0:
		return usagef("--output junit is for --cases: for objects there are text and json")
	}
	for _, flag := range []string{"filename", "old", "operation", "subresource", "as", "as-group", "namespace"} {
		if len(o.cases) > 0 && changed(flag) {
			return usagef("--%s and --cases do not go together: a case says itself what is written", flag)
		}
	}
	if o.old == "-" && slices.Contains(o.files, "-") {
		return usagef("-f and --old are both standard input: name a file for one of them")
	}
	return nil
}

func (o *admitOptions) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	loaded, err := config.Load(o.config)
	if err != nil {
		return &usageError{err}
	}
	judge, err := admit.New(loaded, o.program.compiling())
	if err != nil {
		return &usageError{err}
	}
	others, err := parsed(o.context)
	if err != nil {
		return err
	}
	doubts, err := judge.Doubts(ctx)
	if err != nil {
		return err
	}
	for _, doubt := range doubts {
		fmt.Fprintf(stderr, "crosswalk: warning: %v\n", doubt)
	}
	var said []byte
	failed := false
	if len(o.cases) > 0 {
		said, failed, err = o.runCases(ctx, judge, others)
	} else {
		said, failed, err = o.runObjects(ctx, judge, others, stdin, stderr)
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(said); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if failed {
		return errReported
	}
	return nil
}

// write is what the flags say of a write, without its objects.
func (o *admitOptions) write() admit.Write {
	return admit.Write{
		Operation: admissionv1.Operation(strings.ToUpper(o.operation)), SubResource: o.subresource, Namespace: o.namespace,
		User: admit.User{Name: o.as, Groups: o.groups}.Info(),
	}
}
