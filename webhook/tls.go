package webhook

import (
	"crypto/tls"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// TLSConfig returns the configuration of a server whose certificate comes from source.
// minVersion is tls.VersionTLS12 or tls.VersionTLS13. 0 means tls.VersionTLS13, which every API
// server since Kubernetes 1.19 supports.
//
// HTTP/2 is not offered: the API server sends one review after another on a connection, so
// streams would gain nothing, and their flow control makes bodies of 100 MB slower.
func TLSConfig(source certs.Source, minVersion uint16) *tls.Config {
	if minVersion == 0 {
		minVersion = tls.VersionTLS13
	}
	return &tls.Config{
		MinVersion:     minVersion,
		GetCertificate: certs.GetCertificate(source),
		NextProtos:     []string{"http/1.1"},
	}
}

// CertificateValidity returns the function that [Metrics.WatchCertificate] needs.
func CertificateValidity(source certs.Source) func() (from, to time.Time) {
	return func() (from, to time.Time) {
		pair, err := source.Current()
		if err != nil {
			return time.Time{}, time.Time{}
		}
		return pair.Leaf().NotBefore, pair.Leaf().NotAfter
	}
}
