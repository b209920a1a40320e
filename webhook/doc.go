// Package webhook answers the API server's requests over HTTPS.
//
// The path of a request is: route ([NewHandler]) → review codec → [Converter] → codec →
// response; or route ([NewAdmissionHandler]) → review codec → [validation.Reviewer] → codec →
// response. [Tables] and [Reviewers] hold what is loaded, [Memory] bounds the memory of all
// requests together, [Readiness] reports what is not ready, [Metrics] holds the counters, and
// [Server] has the listeners, TLS, timeouts and draining. The handlers can be mounted in any
// server:
//
//	tables := webhook.NewTables(nil)
//	err := tables.Replace(converters)
//	mux.Handle("/convert", webhook.NewHandler(webhook.Options{Tables: tables}))
package webhook
