package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/webhook"
)

// serve connects the parts of the role and runs until ctx is done.
func (o *serveOptions) serve(ctx context.Context, log *slog.Logger) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics := webhook.NewMetrics(registry)
	tables := webhook.NewTables(metrics)
	readiness := webhook.NewReadiness()
	var (
		connection *rest.Config
		follow     func(context.Context) error
		more       reviewers
		err        error
	)
	if !o.fromFiles() {
		if connection, err = o.cluster.connect("serve"); err != nil {
			return err
		}
		adoptLogs(log)
	}
	if o.clients.ca != "" {
		adoptLogs(log)
	}
	clients, err := o.clients.clients()
	if err != nil {
		return err
	}
	callers, err := o.callers(connection, log)
	if err != nil {
		return err
	}
	if o.fromFiles() {
		follow, more, err = o.loadFiles(tables, metrics, readiness, log)
	} else {
		follow, more, err = o.follow(connection, tables, metrics, readiness, log)
	}
	if err != nil {
		return err
	}
	deciding := tableReviewers(tables).and(more)
	reviewers := webhook.NewReviewers(metrics)
	if err := reviewers.Replace(deciding.validators, deciding.mutators); err != nil {
		return err
	}
	source, err := o.certs.source(connection, o.cluster.namespace, log)
	if err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	metrics.WatchCertificate(webhook.CertificateValidity(source))
	readiness.Add("certificate", webhook.CertificateCheck(source, time.Now))
	o.cluster.program.registerMetrics(registry, "serve", readiness)

	limit, err := o.memory(log)
	if err != nil {
		return err
	}
	memory := webhook.NewProcessMemory(limit)
	metrics.WatchMemory(memory)
	listeners := newListeners(registry, log)
	listener, err := listeners.listen(o.listen, "--listen", "webhook")
	if err != nil {
		return err
	}
	healthListener, err := listeners.listen(o.healthListen, "--health-listen", "health")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	options := webhook.Options{
		Tables: tables, Reviewers: reviewers, Metrics: metrics, Logger: log, MaxBodyBytes: o.maxBody, Memory: memory,
		Knows: clients.know,
	}
	aggregate, err := o.aggregate(callers, listeners, options, source, readiness, log)
	if err != nil {
		return errors.Join(err, listener.Close(), healthListener.Close())
	}
	server := webhook.NewServer(webhook.ServerOptions{
		Listener:       listener,
		Handler:        webhook.NewHandler(options),
		TLS:            clients.ask(webhook.TLSConfig(source, o.tlsVersion())),
		HealthListener: healthListener,
		HealthHandler:  webhook.NewHealthHandler(readiness, registry),
		Readiness:      readiness,
		DrainDelay:     o.drainDelay,
		Logger:         log,
	})
	// Answers need these parts after the signal, too: a draining process still accepts
	// connections, and still receives new tables.
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	keepers := []func(context.Context) error{source.Run, follow, clients.follow, memory.Watch}
	kept := make(chan error, len(keepers))
	serving, fail := context.WithCancel(ctx)
	for _, keep := range keepers {
		go func() {
			err := keep(keeping)
			if err != nil {
				fail() // tables would not be followed any more: drain and exit
			}
			kept <- err
		}()
	}
	aggregating := make(chan error, 1)
	go func() {
		defer fail() // does nothing if the cause is a signal to end
		aggregating <- aggregate(serving)
	}()
	err = server.Run(serving)
	fail()
	err = errors.Join(err, <-aggregating)
	stop()
	for range keepers {
		err = errors.Join(err, <-kept)
	}
	log.Info("stopped")
	return err
}
