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

// aggregate makes what serves Crosswalk's own API groups until its ctx is done, with what
// the webhook has, and what waits for that where nobody asks for the groups.
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
		return nil, errors.Join(fmt.Errorf("the aggregated API: %w", err), listener.Close())
	}
	readiness.Add("aggregated", server.Check)
	return server.Run, nil
}
