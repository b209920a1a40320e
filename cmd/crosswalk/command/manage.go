package command

import (
	"github.com/spf13/cobra"
)

func newManageCommand(program Options) *cobra.Command {
	o := manageOptions{cluster: clusterOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "manage",
		Short: "Configure CRDs, webhooks and certificates in a cluster",
		Long: `Manage changes the cluster so that the API server calls serve. It

  - issues serve's certificate from its own CA, or waits for a certificate of another
    issuer, such as cert-manager;
  - sets spec.conversion of every CRD that has a Crosswalk, once every replica of serve
    answers for its table, and resets it when the Crosswalk is deleted and no object
    needs the table any more;
  - registers webhooks, so that the API server calls serve for writes of these CRDs'
    objects, and for writes that policies match;
  - writes its CA bundle into objects with the annotation crosswalk.dev/inject-ca: "true",
    and the CA of a Secret into objects with crosswalk.dev/inject-ca-from;
  - writes the status of each Crosswalk and policy.

Several may run. One of them, the leader, works. Conversions go on without it. Manage
logs to standard error, and ends on SIGTERM or SIGINT.`,
		Example: `  crosswalk manage
  crosswalk manage --kubeconfig admin.conf --replica 192.0.2.7:8443 --replica 192.0.2.8:8443`,
		Args: noArguments("tables and CRDs are read from the cluster"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return o.manage(ctx, o.log.logger(cmd.ErrOrStderr()))
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}
