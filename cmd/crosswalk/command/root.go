package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1 // something failed
	exitUsage  = 2 // flags or configuration are wrong, and nothing was tried
	exitUnsure = 2 // nothing is known to be wrong, and not everything could be checked
)

// usageError is an error of the caller: flags, arguments or configuration.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes an error that ends the program with exitUsage.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// errReported ends the program with exitFailed. The failures have already been printed to
// standard error.
var errReported = errors.New("failed")

// errUnsure ends the program with exitUnsure. What could not be checked has already been printed.
var errUnsure = errors.New("not everything could be checked")

func (o Options) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand(o)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailed
	case errors.Is(err, errUnsure):
		return exitUnsure
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "crosswalk: %v\nSee '%s --help'.\n", err, command.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(stderr, "crosswalk: %v\n", err)
	return exitFailed
}

func newRootCommand(o Options) *cobra.Command {
	root := &cobra.Command{
		Use:   "crosswalk",
		Short: "Convert custom resources between the versions of their CRD, from a table",
		Long: `Crosswalk converts custom resources between the versions of their
CustomResourceDefinition. A table lists which fields correspond. It works in both
directions, and anything that one version can't represent is kept with the object.

Exit codes: 0 done, 1 something failed, 2 flags or configuration are wrong.`,
		Version:       o.version(),
		Args:          noCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,
		// A mistyped command may be wrong in so many letters to get a suggestion.
		SuggestionsMinimumDistance: 2,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(
		newConvertCommand(o), newVerifyCommand(o), newAdmitCommand(o), newServeCommand(o), newManageCommand(o),
		newMigrateCommand(o), newAuditCommand(o), newDoctorCommand(o), newManifestsCommand(o), newVersionCommand(o),
	)
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Args = func(_ *cobra.Command, args []string) error {
			_, unknown, _ := root.Find(args)
			return noCommand(root, unknown)
		}
	}
	return root
}

// noCommand rejects arguments that are not the name of a command.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "; did you mean " + near[0] + "?"
	}
	return usagef("there is no command %q%s", args[0], hint)
}

// noArguments rejects arguments of a command that has only flags.
func noArguments(remedy string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usagef("unexpected argument %q: %s", args[0], remedy)
	}
}
