package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// A server with a certificate of its own authority. The CA bundle is what a caBundle
// must hold. A long-lived server also calls Run, which renews the certificate.
func ExampleNewAuthority() {
	folder, err := os.MkdirTemp("", "authority")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: folder, Names: certs.ServiceNames("crosswalk", "crosswalk-system")})
	if err != nil {
		panic(err)
	}

	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{GetCertificate: certs.GetCertificate(authority)}
	server.StartTLS()
	defer server.Close()

	pair, err := authority.Current()
	if err != nil {
		panic(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(pair.CABundle)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: trusted, ServerName: "crosswalk.crosswalk-system.svc",
	}}}
	response, err := client.Get(server.URL)
	if err != nil {
		panic(err)
	}
	defer func() { _ = response.Body.Close() }()
	fmt.Println(response.Status)
	// Output: 404 Not Found
}
