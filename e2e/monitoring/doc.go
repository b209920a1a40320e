// Package monitoring scrapes what Crosswalk says of itself, on a real API server.
package monitoring
