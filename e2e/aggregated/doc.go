// Package aggregated asks for conversions of Crosswalk's own API group through the real
// API server, with kubectl and over HTTP; and sees that serve knows an API server that asks
// for verdicts, by way of itself or by a certificate, and tells nobody else what it reads.
package aggregated
