package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strconv"
)

// connect makes a connection to the Service as the API server would: it knows
// what the CRD's caBundle says.
func (c cluster) connect(ctx context.Context, port int) error {
	crd, err := c.injected(ctx, crd(crontabsCRD))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(crd.bundles[0]) {
		return errors.New("the CRD has no bundle")
	}
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: dnsName}}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return connection.Close()
}

// served is the certificate, as DER, that is served on a port now.
func served(ctx context.Context, port int) ([]byte, error) {
	// Whether it is believed is another question.
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, ServerName: dnsName}}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	return connection.(*tls.Conn).ConnectionState().PeerCertificates[0].Raw, nil
}
