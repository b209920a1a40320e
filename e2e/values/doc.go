// Package values holds the end-to-end tests of exact values: what a user writes,
// however small or empty or large, comes back as it was, through a real API server
// and etcd, whichever version is written, read or stored.
package values
