// Package admit plays the API server's part in a write, from files and without a
// cluster: what becomes of an object on its way through defaults, mutation
// policies, the guard and the strict writes of a table, the schema and validation
// policies. It also runs cases: writes with the verdict that is expected.
//
// What it cannot play is who else looks at the write: other webhooks, quotas, RBAC.
// Webhooks that judge are asked by the API server at once, and only the first
// answer is told; here all are told. Where the API server would ask a mutation policy
// again because something has changed that was asked in another version, or by
// Kubernetes' own policies, it is not asked again here.
package admit
