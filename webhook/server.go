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

// shutdownTimeout is how long running requests may take after the listener has closed: as long
// as any request may.
const shutdownTimeout = writeTimeout

// ServerOptions configure a [Server].
type ServerOptions struct {
	// Listener accepts the API server's connections. Handler answers its requests: usually the
	// result of [NewHandler]. TLS is usually the result of [TLSConfig].
	Listener net.Listener
	Handler  http.Handler
	TLS      *tls.Config
	// HealthListener and HealthHandler serve the kubelet and Prometheus, without TLS. See
	// [NewHealthHandler].
	HealthListener net.Listener
	HealthHandler  http.Handler
	// Readiness becomes not ready when draining begins.
	Readiness *Readiness
	// DrainDelay is how long the server goes on serving after it has become not ready: as long
	// as the slowest kube-proxy needs to notice.
	DrainDelay time.Duration
	// Logger receives errors of connections. The default discards them.
	Logger *slog.Logger
}

// Server serves the webhook and its health until its context is done.
type Server struct {
	options         ServerOptions
	webhook, health *http.Server
	unused          unused
}

// NewServer returns a server. All options but DrainDelay and Logger are required.
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

// NewHealthServer returns a server for the kubelet and for Prometheus, for programs that answer
// no reviews; [Server] already includes one. Its handler is usually the result of
// [NewHealthHandler]. It disconnects clients that are slow or silent, as [Server] does. logger
// receives errors of connections, and is required.
func NewHealthServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return newHTTPServer(handler, logger)
}

func newHTTPServer(handler http.Handler, logger *slog.Logger) *http.Server {
	s := &http.Server{Handler: handler, Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn)}
	s.Protocols.SetHTTP1(true)
	setTimeouts(s)
	return s
}

// Run serves until ctx is done. Then it drains: it becomes not ready, goes on serving for the
// drain delay, closes the listener, waits for running requests and returns. Requests do not see
// that ctx is done. Run also returns, with an error, when a listener fails. Both listeners are
// closed when it returns.
func (s *Server) Run(ctx context.Context) error {
	defer s.health.Close() // last, because the kubelet probes a draining process, too
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

// finish closes the listener, and waits for the running requests and for the first request of
// each connection that has had none. accepting is closed when the listener no longer accepts.
func (s *Server) finish(ctx context.Context, accepting <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
	defer cancel()
	if err := s.options.Listener.Close(); err != nil {
		return errors.Join(fmt.Errorf("webhook listener: %w", err), s.webhook.Close())
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

// closeWhileDraining makes each answer of a draining server close its connection, so that no
// connection in use is left when the listener closes. Idle connections stay open until then:
// closing one could meet a request on its way.
func closeWhileDraining(next http.Handler, readiness *Readiness) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if readiness.Draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
