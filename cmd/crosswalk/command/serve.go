package command

import (
	"github.com/spf13/cobra"
)

func newServeCommand(program Options) *cobra.Command {
	o := serveOptions{cluster: clusterOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer the API server over HTTPS: convert objects, and admit writes",
		Long: `Serve answers ConversionReviews on /convert and /convert/{fingerprint} over
HTTPS, and AdmissionReviews on /mutate/ and /validate/. A second listener has /livez,
/readyz and /metrics. With --aggregated-listen, serve also provides two API groups:
conversion.crosswalk.dev converts objects for clients, and admission.crosswalk.dev
lets the API server call webhooks through an APIService, where it identifies itself.

Serve reads tables, CRDs and policies from the cluster, and follows their changes.
With --config it reads them from files instead, and needs no cluster, except for
objects that policies look up. It looks them up in the cluster in which it runs, or in
the cluster of --kubeconfig. Serve changes nothing in a cluster. CRDs are armed and
certificates issued by crosswalk manage.

Serve logs to standard error. The lines with the message "listening" have the bound
addresses, so port 0 works. On SIGTERM or SIGINT it becomes not ready, goes on serving
for the drain delay, finishes the running requests and exits. A second signal ends it
at once.`,
		Example: `  crosswalk serve
  crosswalk serve --kubeconfig admin.conf --listen 127.0.0.1:8443
  crosswalk serve --config tables/ --dns-name crosswalk.crosswalk-system.svc --certs-dir /var/lib/crosswalk`,
		Args: noArguments("name tables and CRDs with --config"),
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
