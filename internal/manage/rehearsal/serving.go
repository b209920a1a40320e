// Package rehearsal replaces serve and the cluster in the tests of what manage writes.
package rehearsal

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Namespace and ServiceName identify the Service of serve.
const (
	Namespace   = "crosswalk-system"
	ServiceName = "crosswalk"
)

// Authority issues a certificate for the Service's name, like the built-in authority.
func Authority(t *testing.T) certs.Source {
	t.Helper()
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{ServiceName + "." + Namespace + ".svc"}})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// Pair returns a certificate of a new authority.
func Pair(t *testing.T) *certs.Pair {
	t.Helper()
	pair, err := Authority(t).Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// Switched is a source whose pair a test changes, or makes fail.
type Switched struct {
	certs.Source
	Pair *certs.Pair
	Err  error
}

// Current returns the pair and the error.
func (s *Switched) Current() (*certs.Pair, error) { return s.Pair, s.Err }

// Changed returns a channel that stays open.
func (*Switched) Changed() <-chan struct{} { return nil }

// Listen serves with a certificate until the test ends, and returns the address.
func Listen(t *testing.T, certificate tls.Certificate, handler http.Handler) (address string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// Silence lets serve's pulse find that no replica answers, until the returned function is
// called.
func Silence(t *testing.T, serve *reach.Serve) (end func()) {
	t.Helper()
	var over atomic.Bool
	changed := serve.Changed()
	go func() {
		_ = serve.Follow(t.Context(), func(context.Context, *http.Client, string) error {
			if over.Load() {
				return nil
			}
			return errors.New("no answer")
		})
	}()
	<-changed
	return func() {
		changed := serve.Changed()
		over.Store(true)
		<-changed
	}
}

// Rights are rights of this process, of which a test makes some missing.
type Rights struct{ Missing *reach.Obstacle }

// Changed returns a channel that stays open.
func (*Rights) Changed() <-chan struct{} { return nil }

// Obstacle returns what is missing.
func (r *Rights) Obstacle() *reach.Obstacle { return r.Missing }
