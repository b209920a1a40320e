package chaos

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// renew has another certificate served and, from time to time, another CA sign it.
func (s *soak) renew(t *testing.T, n int) {
	if every := s.certificates / s.authorities; n%every == every-1 {
		s.rotate(t, n)
	}
	before := s.waitServed(t, func(*x509.Certificate) bool { return true })
	until(t, func(ctx context.Context) error {
		_, err := s.API().Do(ctx, http.MethodDelete, secretsPath("crosswalk-serving"), "", nil)
		return err
	})
	s.waitServed(t, func(leaf *x509.Certificate) bool { return !leaf.Equal(before) })
}

// rotate has another CA made and, when every bundle holds it for long enough, sign what is
// served.
func (s *soak) rotate(t *testing.T, n int) {
	before := s.waitServed(t, func(*x509.Certificate) bool { return true })
	until(t, func(ctx context.Context) error {
		return s.annotate(ctx, "crosswalk-authority", certs.AnnotationRotate, n)
	})
	s.waitServed(t, func(leaf *x509.Certificate) bool {
		if !bytes.Equal(leaf.AuthorityKeyId, before.AuthorityKeyId) {
			return true
		}
		// The overlap may end just after manage has looked, and it looks every minute. A
		// change of the Secret makes it look.
		_ = s.annotate(t.Context(), "crosswalk-serving", "example.com/look", int(time.Now().Unix()))
		return false
	})
}

// annotate sets an annotation of a Secret.
func (s *soak) annotate(ctx context.Context, secret, key string, value int) error {
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: "%d"}}}`, key, value)
	_, err := s.API().Do(ctx, http.MethodPatch, secretsPath(secret), harness.MergePatchType, []byte(patch))
	return err
}

// waitServed waits until every replica serves the certificate of the Secret, and it is the right one.
func (s *soak) waitServed(t *testing.T, right func(*x509.Certificate) bool) (leaf *x509.Certificate) {
	t.Helper()
	until(t, func(ctx context.Context) error {
		data, err := s.API().Get(ctx, secretsPath("crosswalk-serving"))
		if err != nil {
			return err
		}
		secret := new(corev1.Secret)
		if err := json.Unmarshal(data, secret); err != nil {
			return err
		}
		pair, err := tls.X509KeyPair(secret.Data["tls.crt"], secret.Data["tls.key"])
		if err != nil {
			return err
		}
		leaf = pair.Leaf
		if !right(leaf) {
			return fmt.Errorf("certificate %x is still that of the Secret", leaf.SerialNumber)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(secret.Data["ca.crt"])
		for _, replica := range s.Serve {
			connection, err := tls.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(replica.Port)), &tls.Config{
				RootCAs: roots, ServerName: "crosswalk." + harness.Namespace + ".svc",
			})
			if err != nil {
				return err // it may be about to start
			}
			served := connection.ConnectionState().PeerCertificates[0]
			connection.Close()
			if !served.Equal(leaf) {
				return fmt.Errorf("a replica serves %x, and the Secret has %x", served.SerialNumber, leaf.SerialNumber)
			}
		}
		return nil
	})
	s.calls.served(leaf)
	return leaf
}
