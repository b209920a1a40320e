package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/aggregated"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// callers is the cluster that says who may call the aggregated API: the one that tables
// come from, nil where they come from files and then --kubeconfig or that of this process.
func (o *serveOptions) callers(tables *rest.Config, log *slog.Logger) (*rest.Config, error) {
	if o.aggregatedListen == "" || tables != nil {
		return tables, nil
	}
	connection, err := o.cluster.connect("serve")
	if err != nil {
		return nil, usagef("--aggregated-listen: a cluster says who may call: %w", err)
	}
	adoptLogs(log)
	return connection, nil
}

// aggregate makes what serves Crosswalk's own API group until its ctx is done, and what
// waits for that where nobody asks for the group.
func (o *serveOptions) aggregate(callers *rest.Config, tables *webhook.Tables, memory *webhook.Memory, metrics *webhook.Metrics, source certs.Source, log *slog.Logger) (func(context.Context) error, error) {
	if o.aggregatedListen == "" {
		return func(ctx context.Context) error { <-ctx.Done(); return nil }, nil
	}
	listener, err := listen(o.aggregatedListen, "--aggregated-listen", "aggregated", log)
	if err != nil {
		return nil, err
	}
	server, err := aggregated.NewServer(aggregated.Options{
		Listener:      listener,
		Certificate:   source,
		MinTLSVersion: o.tlsVersion(),
		Tables:        tables,
		Memory:        memory,
		Metrics:       metrics,
		Logger:        log,
		Cluster:       callers,
		DrainDelay:    o.drainDelay,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the aggregated API: %w", err), listener.Close())
	}
	return server.Run, nil
}
