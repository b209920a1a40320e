package inject

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

// clientOnly is the name of a certificate that is for no server.
const clientOnly = "client only"

// sign makes a certificate that by has signed, or that signs itself where by is nil. It is
// valid on the days from first to last.
func sign(t testing.TB, by *certstest.Signed, isCA bool, first, last int, names ...string) *certstest.Signed {
	t.Helper()
	template := x509.Certificate{
		Subject:   pkix.Name{CommonName: fmt.Sprint(isCA, rand.Int())},
		NotBefore: at(first), NotAfter: at(last), IsCA: isCA, BasicConstraintsValid: true,
	}
	for _, name := range names {
		if name == clientOnly {
			template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		} else if address := net.ParseIP(name); address != nil {
			template.IPAddresses = append(template.IPAddresses, address)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	return certstest.Sign(t, by, template)
}

func TestFromSecret(t *testing.T) {
	key := []byte("-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n")
	root, other := sign(t, nil, true, 1, 30), sign(t, nil, true, 1, 30)
	between := sign(t, root, true, 1, 30)
	leaf, expired, early := sign(t, root, false, 1, 20, "a"), sign(t, root, false, 1, 5, "a"), sign(t, root, false, 15, 20, "a")
	deep := sign(t, between, false, 1, 20, "a")
	client := sign(t, root, false, 1, 20, "a", clientOnly)
	alone, aloneExpired := sign(t, nil, false, 1, 20, "a"), sign(t, nil, false, 1, 5, "a")
	for _, test := range []struct {
		name          string
		ca, tls       []byte
		wants         []byte
		isFor, failed string
	}{
		{"a CA and its certificate", root.PEM(), leaf.PEM(), root.PEM(), "a", ""},
		{"a CA alone", root.PEM(), nil, root.PEM(), "", ""},
		{"a bundle while the CA is replaced", join(other.PEM(), root.PEM()), leaf.PEM(), join(other.PEM(), root.PEM()), "a", ""},
		{"an intermediate in the chain", root.PEM(), join(deep.PEM(), between.PEM()), root.PEM(), "a", ""},
		{"an intermediate as the CA", between.PEM(), deep.PEM(), between.PEM(), "a", ""},
		{"a certificate that has expired", root.PEM(), expired.PEM(), root.PEM(), "a", ""},
		{"a certificate whose time has not come", root.PEM(), early.PEM(), root.PEM(), "a", ""},
		{"a certificate that cannot be read", root.PEM(), []byte("x"), root.PEM(), "", ""},
		{"a key before the certificate", root.PEM(), join(key, leaf.PEM()), root.PEM(), "a", ""},
		{"one that signs itself", nil, alone.PEM(), alone.PEM(), "a", ""},
		{"one that signs itself, and cert-manager's empty ca.crt", []byte("\n"), alone.PEM(), alone.PEM(), "a", ""},
		{"one that signs itself as its CA", alone.PEM(), alone.PEM(), alone.PEM(), "a", ""},

		{"nothing", nil, nil, nil, "", "it has no ca.crt; add the CA that has signed its tls.crt"},
		{"no CA", nil, leaf.PEM(), nil, "", "it has no ca.crt; add the CA that has signed its tls.crt"},
		{"no CA, expired", nil, aloneExpired.PEM(), nil, "", "its tls.crt, which is self-signed: its last certificate expired on 2026-03-05T12:00:00Z; renew it"},
		{"garbage", []byte("garbage"), leaf.PEM(), nil, "", "its ca.crt: there is no PEM certificate; put the certificate of the CA there"},
		{"a CA that has expired", sign(t, nil, true, 1, 5).PEM(), nil, nil, "", "its ca.crt: its last certificate expired on 2026-03-05T12:00:00Z; put the certificate of the CA there"},
		{"the CA of its clients", other.PEM(), leaf.PEM(), nil, "", "its ca.crt has not signed its tls.crt (x509: certificate signed by unknown authority); put the CA there that has"},
		{"the CA of its clients, expired", other.PEM(), expired.PEM(), nil, "", "its ca.crt has not signed its tls.crt (x509: certificate signed by unknown authority); put the CA there that has"},
		{"a client's certificate", root.PEM(), client.PEM(), nil, "",
			"its ca.crt has not signed its tls.crt (x509: certificate specifies an incompatible key usage); put the CA there that has"},
		{"the intermediate is missing", root.PEM(), deep.PEM(), nil, "", "its ca.crt has not signed its tls.crt (x509: certificate signed by unknown authority); put the CA there that has"},
		{"a key", key, nil, nil, "",
			`its ca.crt: PEM block 1 is not a CERTIFICATE but "EC PRIVATE KEY"; put the certificate of the CA there`},
	} {
		data := map[string][]byte{"tls.key": []byte("never read")}
		if test.ca != nil {
			data["ca.crt"] = test.ca
		}
		if test.tls != nil {
			data["tls.crt"] = test.tls
		}
		secret := Public(&corev1.Secret{Data: data})
		if text := fmt.Sprint(secret); strings.Contains(text, fmt.Sprint([]byte("never read"))) {
			t.Errorf("%s: the key stays: %s", test.name, text)
		}
		origin, err := FromSecret(secret, at(10))
		if test.failed != "" {
			if err == nil || err.Error() != test.failed {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err != nil || string(origin.Bundle.PEM()) != string(test.wants) || origin.Names() != test.isFor {
			t.Errorf("%s: %v, for %q, with\n%s", test.name, err, origin.Names(), origin.Bundle.PEM())
		}
	}
}

// The API server asks for the name of a Service, or for that of a URL's host.
func TestMisnamed(t *testing.T) {
	root := newCA(t, "root", 30)
	origin := func(names ...string) Origin {
		return Origin{Certificate: sign(t, nil, false, 1, 20, names...).Certificate}
	}
	for _, test := range []struct {
		client string
		origin Origin
		wants  string // the name that the certificate is not for
	}{
		{`{"service": {"name": "a", "namespace": "b"}}`, origin("a.b.svc"), ""},
		{`{"service": {"name": "a", "namespace": "b"}}`, origin("a", "*.b.svc"), ""},
		{`{"service": {"name": "a", "namespace": "b"}}`, origin("a.b", "a.b.svc.cluster.local"), "a.b.svc"},
		{`{"service": {"name": "a", "namespace": "b"}}`, origin(), "a.b.svc"},
		{`{"service": {"name": "a", "namespace": "b"}}`, Origin{}, ""},
		{`{"service": {"name": "a"}}`, origin("x"), ""},
		{`{"url": "https://x.example.com:8443/admit"}`, origin("x.example.com"), ""},
		{`{"url": "https://x.example.com:8443/admit"}`, origin("example.com"), "x.example.com"},
		{`{"url": "https://[::1]:8443/admit"}`, origin("::1"), ""},
		{`{"url": "https://127.0.0.1/"}`, origin("::1"), "127.0.0.1"},
		{`{"url": "://"}`, origin("x"), ""},
		{`{}`, origin("x"), ""},
	} {
		var beside map[string]any
		if err := json.Unmarshal([]byte(test.client), &beside); err != nil {
			t.Fatal(err)
		}
		for _, s := range subjects() {
			if beside["service"] == nil && !s.url {
				continue // it has nothing but a Service
			}
			places := plan(t, s.live(nil, beside, encode(root)), parse(t, root)).Places
			got := test.origin.Misnamed(places)
			switch {
			case test.wants == "" && len(got) > 0,
				test.wants != "" && (len(got) != 1 || got[0].Server != test.wants || got[0].Path != s.paths[0]):
				t.Errorf("%s with %s: %+v", s.kind, test.client, got)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for want, names := range map[string][]string{
		"no name":                  {},
		"a":                        {"a"},
		"a, b, c, d, 10.0.0.1":     {"a", "10.0.0.1", "b", "c", "d"},
		"a, b, c, d, e and 2 more": {"a", "10.0.0.1", "b", "c", "d", "e", "f"},
	} {
		if got := (Origin{Certificate: sign(t, nil, false, 1, 20, names...).Certificate}).Names(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (Origin{}).Names(); got != "" {
		t.Errorf("of no certificate: %q", got)
	}
}
