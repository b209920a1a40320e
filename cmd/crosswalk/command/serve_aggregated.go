package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/aggregated"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// callers returns the cluster that authorizes the callers of the aggregated API: the cluster of
// the tables. If tables come from files, it is the cluster of --kubeconfig, or the one in which
// this process runs.
func (o *serveOptions) callers(tables *rest.Config, log *slog.Logger) (*rest.Config, error) {
	if o.aggregatedListen == "" || tables != nil {
		return tables, nil
	}
	connection, err := o.cluster.connect("serve")
	if err != nil {
		return nil, usagef("--aggregated-listen needs a cluster, which authorizes its callers: %w", err)
	}
	adoptLogs(log)
	return connection, nil
}

// aggregate returns a function that serves Crosswalk's own API groups until its ctx is done. If
// the groups are not served, the function only waits for ctx.
func (o *serveOptions) aggregate(callers *rest.Config, listeners *listeners, webhooks webhook.Options, source certs.Source, readiness *webhook.Readiness, log *slog.Logger) (func(context.Context) error, error) {
	if o.aggregatedListen == "" {
		return func(ctx context.Context) error { <-ctx.Done(); return nil }, nil
	}
	listener, err := listeners.listen(o.aggregatedListen, "--aggregated-listen", "aggregated")
	if err != nil {
		return nil, err
	}
	webhooks.Knows = func(*http.Request) bool { return true } // nobody else has the right
	server, err := aggregated.NewServer(aggregated.Options{
		Listener:      listener,
		Certificate:   source,
		MinTLSVersion: o.tlsVersion(),
		Tables:        webhooks.Tables,
		Memory:        webhooks.Memory,
		Reviews:       webhook.NewAdmissionHandler(webhooks),
		Metrics:       webhooks.Metrics,
		Logger:        log,
		Cluster:       callers,
		DrainDelay:    o.drainDelay,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("aggregated API: %w", err), listener.Close())
	}
	readiness.Add("aggregated", server.Check)
	return server.Run, nil
}
