package command

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/manage"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// manage connects the parts of the role and runs until ctx is done.
func (o *manageOptions) manage(ctx context.Context, log *slog.Logger) error {
	connection, err := o.cluster.connect("manage")
	if err != nil {
		return err
	}
	adoptLogs(log)
	source, err := o.source(connection, log)
	if err != nil {
		return err
	}
	options := o.options()
	options.Certs, options.Registry, options.Logger = source, metrics.Registry, log
	manager, err := manage.New(connection, options)
	if err != nil {
		return err
	}
	listener, err := newListeners(metrics.Registry, log).listen(o.healthListen, "--health-listen", "health")
	if err != nil {
		return err
	}
	readiness := webhook.NewReadiness()
	readiness.Add("cluster", manager.Check)
	readiness.Add("rights", manager.CheckRights)
	o.cluster.program.registerMetrics(metrics.Registry, "manage", readiness)
	health := webhook.NewHealthServer(webhook.NewHealthHandler(readiness, metrics.Registry), log)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 3)
	for _, run := range []func() error{
		func() error { return source.Run(ctx) },
		func() error { return manager.Run(ctx) },
		func() error { return closed(health.Serve(listener)) },
	} {
		go func() {
			err := run()
			stop()
			ended <- err
		}()
	}
	<-ctx.Done()
	err = errors.Join(health.Close(), <-ended, <-ended, <-ended)
	log.Info("stopped")
	return err
}

// options returns what the flags configure.
func (o *manageOptions) options() manage.Options {
	return manage.Options{
		Service:                o.cluster.serviceName(),
		Port:                   o.servicePort,
		Replicas:               o.replicas,
		CertsSecret:            o.secret(),
		CertManagerCertificate: o.certificate,
		Authority:              o.authority(),
		Compiler:               o.cluster.compiler(),
		LeaderElection:         o.leaderElect,
	}
}

func closed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (o *manageOptions) source(connection *rest.Config, log *slog.Logger) (certs.Source, error) {
	if secret := o.secret(); secret != "" {
		return secretSource(connection, o.cluster.namespace, secret, log)
	}
	dir, err := filepath.Abs(o.certsDir)
	if err != nil {
		return nil, err
	}
	return certs.NewFolder(certs.FolderOptions{Dir: dir, Logger: log}), nil
}

// secret returns the name of the Secret with the certificate, or "" if it comes from a folder.
func (o *manageOptions) secret() string {
	if o.certsFrom == certsFolder {
		return ""
	}
	return o.certsSecret
}

// authority returns how certificates are issued, or nil if another issuer does that.
func (o *manageOptions) authority() *manage.Authority {
	if o.certsFrom != certsAuthority {
		return nil
	}
	return &manage.Authority{
		Secret: o.authoritySecret, Overlap: o.overlap,
		Names: certs.ServiceNames(o.cluster.service, o.cluster.namespace),
	}
}
