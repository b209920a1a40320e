package command

import (
	"github.com/spf13/cobra"
)

func newServeCommand(program Options) *cobra.Command {
	o := serveOptions{cluster: clusterOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer the API server's questions over HTTPS: conversions, and writes",
		Long: `Serve answers ConversionReviews on /convert and /convert/{fingerprint} over
HTTPS, AdmissionReviews on /mutate/ and /validate/, and /livez, /readyz and
/metrics on a listener of its own. With --aggregated-listen it also serves two API
groups: conversion.crosswalk.dev, in which clients have objects converted, and
admission.crosswalk.dev, in which the API server asks for verdicts and shows who
it is.

Tables, CRDs and policies come from the cluster, and are followed as they change;
or, with --config, from files, and then no cluster is needed, but for what
policies look up: in the cluster that it runs in, or that --kubeconfig names. It
changes nothing: what arms CRDs and issues certificates is crosswalk manage.

It writes its log to standard error. The lines with the message "listening" say
which addresses are bound, so port 0 works. On SIGTERM or SIGINT it becomes not
ready, serves on for the drain delay, finishes what runs and exits; a second
signal ends it at once.`,
		Example: `  crosswalk serve
  crosswalk serve --kubeconfig admin.conf --listen 127.0.0.1:8443
  crosswalk serve --config tables/ --dns-name crosswalk.crosswalk-system.svc --certs-dir /var/lib/crosswalk`,
		Args: noArguments("tables and CRDs are given with --config"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.serve(ctx, o.log.logger(cmd.ErrOrStderr()))
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}
