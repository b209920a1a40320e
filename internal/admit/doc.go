// Package admit does the API server's part of a write, with files and without a cluster: it
// takes an object through defaults, mutation policies, the guard and the strict writes of a
// table, the schema and validation policies. It also runs cases: writes with an expected
// verdict.
//
// It does not have other webhooks, quotas and RBAC. The API server calls validating webhooks in
// parallel and reports only the first denial; this package reports all denials. The API server
// may call a mutation policy again after an object was changed in another version or by
// Kubernetes' own policies; this package does not.
package admit
