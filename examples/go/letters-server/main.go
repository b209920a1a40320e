// Command letters-server answers the API server's reviews of letters over HTTPS: it
// converts them by Go code, and validates and defaults them by Go code.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"log"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/examples/go/letters"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/typed"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

func main() {
	folder := flag.String("certs", "letters-certs", "`folder` of the certificate and its authority; made if missing")
	listen := flag.String("listen", ":9443", "`address` for the API server's reviews")
	healthListen := flag.String("health-listen", ":8081", "`address` for /livez, /readyz and /metrics")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	healthListener, err := net.Listen("tcp", *healthListen)
	if err != nil {
		log.Fatal(err)
	}
	if err := serve(ctx, *folder, listener, healthListener); err != nil {
		log.Fatal(err)
	}
}

// serve answers until ctx is done, and then finishes what runs.
func serve(ctx context.Context, folder string, listener, healthListener net.Listener) error {
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: folder, Names: certs.ServiceNames("letters", "default")})
	if err != nil {
		return err
	}
	gatherer := prometheus.NewRegistry()
	options, err := reviews(webhook.NewMetrics(gatherer))
	if err != nil {
		return err
	}
	readiness := webhook.NewReadiness()
	readiness.Add("certificate", webhook.CertificateCheck(authority, time.Now))
	server := webhook.NewServer(webhook.ServerOptions{
		Listener:       listener,
		Handler:        webhook.NewHandler(options),
		TLS:            webhook.TLSConfig(authority, tls.VersionTLS13),
		HealthListener: healthListener,
		HealthHandler:  webhook.NewHealthHandler(readiness, gatherer),
		Readiness:      readiness,
		DrainDelay:     5 * time.Second,
		Logger:         slog.Default(),
	})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return authority.Run(ctx) }) // renews the certificate
	group.Go(func() error { return server.Run(ctx) })
	return group.Wait()
}

// reviews says who answers at which path: the converter at /convert, and reviewers by
// their names at /validate/NAME and /mutate/NAME.
func reviews(metrics *webhook.Metrics) (webhook.Options, error) {
	tables, reviewers := webhook.NewTables(metrics), webhook.NewReviewers(metrics)
	options := webhook.Options{Tables: tables, Reviewers: reviewers, Metrics: metrics, Logger: slog.Default()}
	converter, err := letters.Converter()
	if err != nil {
		return options, err
	}
	if err := tables.Replace([]webhook.Converter{converter}); err != nil {
		return options, err
	}
	registry := typed.New(letters.Scheme())
	if err := errors.Join(typed.AddValidator(registry, addressed{}), typed.AddDefaulter(registry, addressed{})); err != nil {
		return options, err
	}
	return options, reviewers.Replace(
		map[string]validation.Reviewer{"letters": registry.Validators(), "strict": webhook.StrictWrites(tables)},
		map[string]validation.Reviewer{"letters": registry.Defaulters(), "guard": webhook.Guard(tables)},
	)
}

// addressed validates and defaults letters of v1: each has somebody to go to.
type addressed struct{}

func (addressed) ValidateCreate(_ context.Context, l *letters.V1) (field.ErrorList, []string) {
	if len(l.Spec.To) == 0 {
		return field.ErrorList{field.Required(field.NewPath("spec", "to"), "name somebody")}, nil
	}
	return nil, nil
}

func (a addressed) ValidateUpdate(ctx context.Context, _, l *letters.V1) (field.ErrorList, []string) {
	return a.ValidateCreate(ctx, l)
}

func (addressed) ValidateDelete(context.Context, *letters.V1) (field.ErrorList, []string) {
	return nil, nil
}

func (addressed) Default(_ context.Context, l *letters.V1) error {
	if l.Spec.Text == "" {
		l.Spec.Text = "Come and see."
	}
	return nil
}
