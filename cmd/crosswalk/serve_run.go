package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// serve wires the rooms together and runs until ctx is done.
func (o *serveOptions) serve(ctx context.Context, log *slog.Logger) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics := webhook.NewMetrics(registry)
	tables := webhook.NewTables(metrics)
	if err := o.load(tables, log); err != nil {
		return err
	}
	source, err := o.source(log)
	if err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	metrics.WatchCertificate(webhook.CertificateExpiry(source))
	readiness := webhook.NewReadiness()
	readiness.Add("tables", tables.Check)
	readiness.Add("certificate", webhook.CertificateCheck(source, time.Now))

	listener, err := listen(o.listen, "--listen", "webhook", log)
	if err != nil {
		return err
	}
	healthListener, err := listen(o.healthListen, "--health-listen", "health", log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := webhook.NewServer(webhook.ServerOptions{
		Listener: listener,
		Handler: webhook.NewHandler(webhook.Options{
			Tables: tables, Metrics: metrics, Logger: log, MaxBodyBytes: o.maxBody,
		}),
		TLS:            webhook.TLSConfig(source, o.tlsVersion()),
		HealthListener: healthListener,
		HealthHandler:  webhook.NewHealthHandler(readiness, registry),
		Readiness:      readiness,
		DrainDelay:     o.drainDelay,
		Logger:         log,
	})
	// The source outlives the signal: a draining process still shakes hands.
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan error, 1)
	go func() { kept <- source.Run(keeping) }()
	err = server.Run(ctx)
	stop()
	err = errors.Join(err, <-kept)
	log.Info("stopped")
	return err
}

// load makes the tables of the configuration the ones that answer.
func (o *serveOptions) load(tables *webhook.Tables, log *slog.Logger) error {
	c, err := config.Load(o.config)
	if err != nil {
		return &usageError{err}
	}
	compiled, err := c.Compile()
	if err != nil {
		return &usageError{err}
	}
	converters := make([]webhook.Converter, len(compiled))
	for i, converter := range compiled {
		converters[i] = converter
		log.Info("loaded a table", "crd", converter.Name(), "fingerprint", converter.Fingerprint(), "versions", converter.Versions())
	}
	return tables.Replace(converters)
}

func (o *serveOptions) source(log *slog.Logger) (certs.Source, error) {
	dir, err := filepath.Abs(o.certsDir)
	if err != nil {
		return nil, err
	}
	if o.certsFrom == certsFolder {
		return certs.NewFolder(certs.FolderOptions{Dir: dir, Logger: log}), nil
	}
	return certs.NewAuthority(certs.AuthorityOptions{Dir: dir, Names: o.dnsNames, Logger: log})
}

// listen binds an address and says which it got.
func listen(address, flag, name string, log *slog.Logger) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	log.Info("listening", "listener", name, "address", l.Addr().String())
	return l, nil
}
