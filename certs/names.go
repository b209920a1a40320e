package certs

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// ServiceNames returns the DNS names of a Service. The API server asks for the first
// (k8s.io/apiserver/pkg/util/webhook). The others are for callers inside the cluster.
func ServiceNames(name, namespace string) []string {
	return []string{
		name + "." + namespace + ".svc",
		name + "." + namespace + ".svc.cluster.local",
		name + "." + namespace,
	}
}

// CheckNames returns an error if a certificate cannot have these DNS names and IP addresses.
func CheckNames(names []string) error {
	_, err := parseNames(names)
	return err
}

// subject is who a serving certificate is for. It has no common name: Go and every browser read
// subject alternative names only.
type subject struct {
	dns []string
	ips []net.IP
}

// parseNames separates DNS names and IP addresses.
func parseNames(names []string) (subject, error) {
	var s subject
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			s.ips = append(s.ips, ip)
			continue
		}
		name = strings.ToLower(name)
		if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
			return s, fmt.Errorf("%q is neither a DNS name nor an IP address: %s", name, problems[0])
		}
		s.dns = append(s.dns, name)
	}
	if len(s.dns)+len(s.ips) == 0 {
		return s, errors.New("a serving certificate needs a DNS name or an IP address")
	}
	return s, nil
}

// matches reports whether c is for exactly this subject, in any order.
func (s subject) matches(c *x509.Certificate) bool {
	return slices.Equal(s.sorted(), subject{c.DNSNames, c.IPAddresses}.sorted())
}

func (s subject) sorted() []string {
	names := slices.Clone(s.dns)
	for _, ip := range s.ips {
		names = append(names, ip.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
