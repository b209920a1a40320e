package command

import (
	"context"
	"log/slog"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// follow loads the tables and policies of the cluster, and follows their changes while the
// returned function runs.
func (o *serveOptions) follow(connection *rest.Config, tables *webhook.Tables, metrics *webhook.Metrics, readiness *webhook.Readiness, log *slog.Logger) (func(context.Context) error, reviewers, error) {
	options, err := cluster.ManagerOptions(o.cluster.namespace, log)
	if err != nil {
		return nil, reviewers{}, err
	}
	mgr, err := manager.New(connection, options)
	if err != nil {
		return nil, reviewers{}, err
	}
	follower, err := cluster.NewFollower(mgr, cluster.FollowerOptions{
		Service:  o.cluster.serviceName(),
		Compiler: o.cluster.compiler(o.objects.compiling()),
		Logger:   log,
		Publish: func(current, older []cluster.Converter) error {
			return tables.Replace(converters(current), converters(older)...)
		},
	})
	if err != nil {
		return nil, reviewers{}, err
	}
	readiness.Add("tables", follower.Check)
	policies, err := followPolicies(mgr, connection, tables, metrics, readiness, log)
	if err != nil {
		return nil, reviewers{}, err
	}
	finder := cluster.NewFinder(mgr)
	types, err := schemas.New(connection, finder.Hub)
	if err != nil {
		return nil, reviewers{}, err
	}
	return mgr.Start, clusterReviewers(o.cluster.serviceName(), finder, types, o.cluster.program.compiling()).and(policies), nil
}

func converters(from []cluster.Converter) []webhook.Converter {
	to := make([]webhook.Converter, len(from))
	for i, c := range from {
		to[i] = c
	}
	return to
}
