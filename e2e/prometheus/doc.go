// Package prometheus asks Prometheus' own engine which alerts fire, and when.
package prometheus
