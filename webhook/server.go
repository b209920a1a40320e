package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// shutdownTimeout is how long requests in flight may take after the listener
// has closed: as long as any request may.
const shutdownTimeout = writeTimeout

// ServerOptions say what a server serves and where.
type ServerOptions struct {
	// Listener gets the API server's connections, Handler its requests, usually
	// that of [NewHandler], and TLS is usually that of [TLSConfig].
	Listener net.Listener
	Handler  http.Handler
	TLS      *tls.Config
	// HealthListener and HealthHandler are those of the kubelet and of
	// Prometheus, without TLS. See [NewHealthHandler].
	HealthListener net.Listener
	HealthHandler  http.Handler
	// Readiness fails from the moment that draining begins.
	Readiness *Readiness
	// DrainDelay is how long the server serves on after it has become not
	// ready: as long as it takes the last kube-proxy to hear of that.
	DrainDelay time.Duration
	// Logger gets what goes wrong with connections. The default is silent.
	Logger *slog.Logger
}

// Server serves the webhook and its health until it is told to stop.
type Server struct {
	options         ServerOptions
	webhook, health *http.Server
	unused          unused
}

// NewServer returns a server for these options, of which all but DrainDelay
// and Logger are required.
func NewServer(o ServerOptions) *Server {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		options: o,
		webhook: newHTTPServer(closeWhileDraining(o.Handler, o.Readiness), o.Logger),
		health:  NewHealthServer(o.HealthHandler, o.Logger),
	}
	s.webhook.TLSConfig = o.TLS
	s.webhook.ConnState = s.unused.note
	return s
}

// NewHealthServer returns a server for the kubelet and for Prometheus, whose handler is
// usually that of [NewHealthHandler], for programs that answer no reviews; [Server] has
// one already. It cuts off clients that are slow or silent, as [Server] does. logger gets
// what goes wrong with connections, and is required.
func NewHealthServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return newHTTPServer(handler, logger)
}

func newHTTPServer(handler http.Handler, logger *slog.Logger) *http.Server {
	s := &http.Server{Handler: handler, Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn)}
	s.Protocols.SetHTTP1(true)
	setTimeouts(s)
	return s
}

// Run serves until ctx is done. Then it drains: it becomes not ready, serves on
// for the drain delay, closes the listener, finishes what runs and returns.
// Requests do not see that ctx is done. It also returns, with an error, when a
// listener fails. Both listeners are closed when it returns.
func (s *Server) Run(ctx context.Context) error {
	defer s.health.Close() // last: a draining process is still asked how it is
	failed, accepting := make(chan error, 2), make(chan struct{})
	go func() {
		defer close(accepting)
		failed <- listening("webhook", s.webhook.ServeTLS(s.options.Listener, "", ""))
	}()
	go func() { failed <- listening("health", s.health.Serve(s.options.HealthListener)) }()
	select {
	case err := <-failed:
		return errors.Join(err, s.webhook.Close())
	case <-ctx.Done():
	}
	s.options.Logger.Info("draining", "delay", s.options.DrainDelay.String())
	s.options.Readiness.Drain()
	select {
	case err := <-failed:
		return errors.Join(err, s.webhook.Close())
	case <-time.After(s.options.DrainDelay):
	}
	return s.finish(context.WithoutCancel(ctx), accepting)
}

// finish closes the listener and waits for the requests in flight, and for the first one of
// each connection that has had none. accepting is closed when the listener no longer accepts.
func (s *Server) finish(ctx context.Context, accepting <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
	defer cancel()
	if err := s.options.Listener.Close(); err != nil {
		return errors.Join(fmt.Errorf("the webhook listener: %w", err), s.webhook.Close())
	}
	<-accepting
	s.unused.wait(ctx)
	if err := s.webhook.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests in flight were cut off: %w", err), s.webhook.Close())
	}
	return nil
}

func listening(what string, err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("the %s listener: %w", what, err)
}

// closeWhileDraining asks clients to leave with each answer while the server
// drains, so that no connection in use is left when the listener closes. Idle
// ones are left alone until then: closing one can meet a request under way.
func closeWhileDraining(next http.Handler, readiness *Readiness) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if readiness.Draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
