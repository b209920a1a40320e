// Command release makes everything that a release of Crosswalk consists of, from its repository
// alone: with no daemon, no base image, and no network but Go's modules.
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
		Short:         "Make the files and the image of a release of Crosswalk",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(newReleaseCommand(), newImageCommand(), newVersionCommand())
	return cmd
}
