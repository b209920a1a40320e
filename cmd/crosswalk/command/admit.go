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
		Short: "Evaluate policies, tables and schemas on objects, without a cluster",
		Long: `Evaluate policies, tables and schemas on objects, without a cluster.

Admit does what the API server would do with a write. It prunes the object and sets
its defaults. Mutation policies and the guard of its table change it. Its schema
validates it. If the object is valid, strict writes and validation policies check
it. Admit prints the verdict as kubectl would, and the object with its changes.

Every object in -f is created. With --old, it replaces the object in that file. With
--old alone, the object is deleted. With --subresource, -f is the body of the
request, such as an Eviction or PodExecOptions, with the name of the object that it
is about. For a Scale, --old has the object that is scaled. --context has other
objects, for lookups, params and namespace selectors. An authorizer expression fails,
because no API server can answer it.
If an expression of a policy does not fit the schema of an object that the policy
matches, for example because it names a field that does not exist, a line on standard
error warns of it.
An object of an unknown kind cannot be evaluated. It is named on standard error, the
others are evaluated, and the exit code is 1.

With --cases, every document in a file or folder is a case: a write, and the
verdict that is expected. docs/policies.md describes them.

Exit codes: 0 allowed, or every case passed; 1 denied, or a case failed; 2 flags,
configuration or a file are wrong.`,
		Example: `  # What would happen to this object
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
	flags.StringArrayVarP(&o.files, "filename", "f", nil, "file or folder with the objects to evaluate, - is standard input; repeatable")
	flags.StringVar(&o.old, "old", "", "file with the object that is replaced or, without -f, deleted")
	flags.StringVar(&o.operation, "operation", "", "CREATE, UPDATE, DELETE or CONNECT (default: follows from -f, --old and --subresource)")
	flags.StringVar(&o.subresource, "subresource", "", "subresource that is written, such as status, scale, eviction or exec")
	flags.StringVar(&o.as, "as", "", "user who writes (default: kubernetes-admin)")
	flags.StringArrayVar(&o.groups, "as-group", nil, "group of that user; repeatable")
	flags.StringVarP(&o.namespace, "namespace", "n", "default", "namespace of objects without one")
	flags.StringArrayVar(&o.context, "context", nil, "file or folder with other objects that exist; repeatable")
	flags.StringArrayVar(&o.cases, "cases", nil, "file or folder with cases; repeatable")
	flags.StringVarP(&o.output, "output", "o", "text", "format to print: text, json or, for cases, junit")
	return cmd
}

// check reports flags that are missing or exclude each other.
func (o *admitOptions) check(changed func(flag string) bool) error {
	switch {
	case len(o.config) == 0:
		return usagef("--config is missing: name the files or folders with the policies, CRDs and tables")
	case slices.Contains(slices.Concat(o.config, o.files, o.context, o.cases), ""):
		return usagef("a path is empty: name a file or folder")
	case len(o.cases) == 0 && len(o.files) == 0 && o.old == "":
		return usagef("nothing to evaluate: name objects with -f, or cases with --cases")
	case !slices.Contains([]string{"text", "json", "junit"}, o.output):
		return usagef("--output %s: use text, json or, for cases, junit", o.output)
	case o.output == "junit" && len(o.cases) == 0:
		return usagef("--output junit is for --cases; for objects use text or json")
	}
	for _, flag := range []string{"filename", "old", "operation", "subresource", "as", "as-group", "namespace"} {
		if len(o.cases) > 0 && changed(flag) {
			return usagef("--%s and --cases exclude each other: a case contains its own write", flag)
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
	var output []byte
	failed := false
	if len(o.cases) > 0 {
		output, failed, err = o.runCases(ctx, judge, others)
	} else {
		output, failed, err = o.runObjects(ctx, judge, others, stdin, stderr)
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(output); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if failed {
		return errReported
	}
	return nil
}

// write returns the write that the flags describe, without its objects.
func (o *admitOptions) write() admit.Write {
	return admit.Write{
		Operation: admissionv1.Operation(strings.ToUpper(o.operation)), SubResource: o.subresource, Namespace: o.namespace,
		User: admit.User{Name: o.as, Groups: o.groups}.Info(),
	}
}
