package command

import (
	"github.com/spf13/cobra"
)

func newManageCommand(program Options) *cobra.Command {
	o := manageOptions{cluster: clusterOptions{program: program}}
	cmd := &cobra.Command{
		Use:   "manage",
		Short: "Arm CRDs and keep certificates, CA bundles and status in a cluster",
		Long: `Manage changes the cluster so that serve is asked for conversions:

  - it issues serve's certificate from a CA of its own, or waits for one that
    somebody else keeps, such as cert-manager;
  - it points the spec.conversion of every CRD that has a Crosswalk at serve, as
    soon as every replica answers for its table, and back when the Crosswalk is
    deleted and no object needs it any more;
  - it tells the API server to ask serve about writes of these CRDs' objects, and
    about those that policies judge or change;
  - it keeps its CA bundle in objects annotated crosswalk.dev/inject-ca: "true",
    and that of a Secret in those with crosswalk.dev/inject-ca-from;
  - it says in the status of each Crosswalk and policy how it stands.

Several may run; one of them, the leader, works. Conversions go on without it.
It writes its log to standard error, and ends on SIGTERM or SIGINT.`,
		Example: `  crosswalk manage
  crosswalk manage --kubeconfig admin.conf --replica 192.0.2.7:8443 --replica 192.0.2.8:8443`,
		Args: noArguments("tables and CRDs are the cluster's"),
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
