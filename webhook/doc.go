// Package webhook answers the API server over HTTPS.
//
// A request walks: route ([NewHandler]) → review codec → [Converter] → codec →
// response; or route ([NewAdmissionHandler]) → review codec →
// [validation.Reviewer] → codec → response. [Tables] and [Reviewers] hold what is
// loaded, [Memory] what requests may hold together, [Readiness] who is not ready,
// [Metrics] what was counted, and [Server] the listeners, TLS, timeouts and draining.
// The handlers can be mounted in anybody's server:
//
//	tables := webhook.NewTables(nil)
//	err := tables.Replace(converters)
//	mux.Handle("/convert", webhook.NewHandler(webhook.Options{Tables: tables}))
package webhook
