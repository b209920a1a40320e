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
// what the CRD's caBundle says, because it watches the CRD.
func connect(ctx context.Context, crd *history, port int) error {
	bundle, err := crd.bundle()
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return errors.New("the CRD has no bundle")
	}
	dialer := tls.Dialer{Config: &tls.Config{
		RootCAs: roots, ServerName: dnsName,
		// Whom it believes is what counts, some thousand times: the cheapest key exchange.
		CurvePreferences: []tls.CurveID{tls.X25519},
	}}
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
