// Package aggregated asks for conversions of Crosswalk's own API group through the real
// API server, with kubectl and over HTTP.
package aggregated
