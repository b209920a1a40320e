package certificates

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// secret is what a Secret of type kubernetes.io/tls holds.
type secret struct {
	Type string
	Data map[string][]byte
}

// readSecret reads a Secret of Crosswalk's namespace.
func (c cluster) readSecret(ctx context.Context, name string) (secret, error) {
	data, err := c.api.Get(ctx, "/api/v1/namespaces/"+namespace+"/secrets/"+name)
	if err != nil {
		return secret{}, err
	}
	var s secret
	return s, json.Unmarshal(data, &s)
}

func (c cluster) secret(t *testing.T, name string) secret {
	t.Helper()
	s, err := c.readSecret(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// changed waits until a Secret holds another certificate than before.
func (c cluster) changed(t *testing.T, name string, before secret) secret {
	t.Helper()
	var now secret
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		var err error
		if now, err = c.readSecret(ctx, name); err != nil {
			return err
		}
		switch certificate := now.Data["tls.crt"]; {
		case len(certificate) == 0:
			return errors.New("the Secret holds no certificate")
		case bytes.Equal(certificate, before.Data["tls.crt"]):
			return errors.New("the Secret still holds the same certificate")
		}
		return nil
	})
	return now
}

// leaf is the first certificate of tls.crt.
func (s secret) leaf(t *testing.T) *x509.Certificate {
	t.Helper()
	all, err := parse(s.Data["tls.crt"])
	if err != nil || len(all) == 0 {
		t.Fatalf("tls.crt: %d certificates, %v", len(all), err)
	}
	return all[0]
}

// trusts reports whether a client that believes in bundle believes that the leaf is
// Crosswalk's.
func trusts(bundle []byte, leaf *x509.Certificate) error {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return errors.New("the bundle holds no certificate")
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		DNSName: dnsName, Roots: roots, CurrentTime: time.Now(),
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return err
}

// parse returns the certificates of a PEM text that holds nothing else.
func parse(text []byte) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	for len(bytes.TrimSpace(text)) > 0 {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return nil, errors.New("what is left is no PEM")
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		all = append(all, certificate)
	}
	return all, nil
}

// holds is an error unless bundle is exactly the certificates of parts, in any
// order and notation.
func holds(bundle []byte, parts ...[]byte) error {
	got, err := parse(bundle)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, c := range got {
		has[string(c.Raw)] = true
	}
	for i, part := range parts {
		want, err := parse(part)
		if err != nil {
			return err
		}
		for _, c := range want {
			if !has[string(c.Raw)] {
				return fmt.Errorf("the bundle has %d certificates, and lacks number %d of those wanted", len(got), i+1)
			}
		}
	}
	wanted, err := parse(bytes.Join(parts, []byte("\n")))
	if err != nil {
		return err
	}
	distinct := map[string]bool{}
	for _, c := range wanted {
		distinct[string(c.Raw)] = true
	}
	if more := len(got) - len(distinct); more > 0 {
		return fmt.Errorf("the bundle has %d certificates more than wanted", more)
	}
	return nil
}
