package webhook

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// pairs is a source of what a test sets.
type pairs struct {
	certs.Source
	pair *certs.Pair
	err  error
}

func (p *pairs) Current() (*certs.Pair, error) { return p.pair, p.err }

func issued(t *testing.T, names ...string) *certs.Pair {
	t.Helper()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: names})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func TestCertificateCheck(t *testing.T) {
	good, other := issued(t, "a.svc"), issued(t, "a.svc")
	long := *good.Certificate
	for range 1000 { // more than a client reads
		long.Certificate = append(long.Certificate, good.Leaf().Raw)
	}
	mixed := *good.Certificate
	mixed.PrivateKey = other.Certificate.PrivateKey
	for name, test := range map[string]struct {
		source *pairs
		after  time.Duration
		want   string
	}{
		"good":                     {&pairs{pair: good}, 0, ""},
		"an IP address":            {&pairs{pair: issued(t, "127.0.0.1")}, 0, ""},
		"without its CA":           {&pairs{pair: &certs.Pair{Certificate: good.Certificate}}, 0, ""},
		"none":                     {&pairs{err: errors.New("there is none")}, 0, "there is none"},
		"expired":                  {&pairs{pair: good}, 91 * 24 * time.Hour, "the certificate expired on "},
		"not valid yet":            {&pairs{pair: good}, -24 * time.Hour, "clients cannot connect with the certificate: "},
		"another CA":               {&pairs{pair: &certs.Pair{Certificate: good.Certificate, CABundle: other.CABundle}}, 0, "clients cannot connect with the certificate: "},
		"a CA that is none":        {&pairs{pair: &certs.Pair{Certificate: good.Certificate, CABundle: []byte("x")}}, 0, "the CA bundle has no certificate"},
		"a chain that is too long": {&pairs{pair: &certs.Pair{Certificate: &long, CABundle: good.CABundle}}, 0, "clients cannot connect with the certificate: "},
		"another key":              {&pairs{pair: &certs.Pair{Certificate: &mixed, CABundle: good.CABundle}}, 0, "clients cannot connect with the certificate: "},
	} {
		t.Run(name, func(t *testing.T) {
			err := CertificateCheck(test.source, func() time.Time { return time.Now().Add(test.after) })()
			if got := errorText(err); test.want == "" && err != nil || !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A handshake costs more than an answer of /readyz may.
func TestCertificateCheckIsRemembered(t *testing.T) {
	good := issued(t, "a.svc")
	broken := &certs.Pair{Certificate: good.Certificate, CABundle: bytes.Clone([]byte("x"))}
	source, now := &pairs{pair: good}, time.Now()
	check := CertificateCheck(source, func() time.Time { return now })
	want := func(when string, fails bool) {
		t.Helper()
		if err := check(); (err != nil) != fails {
			t.Errorf("%s: %v", when, err)
		}
	}
	want("at first", false)
	keep := good.CABundle
	good.CABundle = broken.CABundle
	want("at once", false)
	now = now.Add(handshakeFor)
	want("later", true)
	source.pair = &certs.Pair{Certificate: good.Certificate, CABundle: keep}
	want("with another pair", false)
}
