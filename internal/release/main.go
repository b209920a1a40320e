// Command release makes what a release of Crosswalk consists of, from the repository
// that it is in and nothing else: no daemon, no base image, no network but Go's modules.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "release",
		Short:         "Make what a release of Crosswalk consists of",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(newReleaseCommand(), newImageCommand(), newVersionCommand())
	return cmd
}
