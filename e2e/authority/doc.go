// Package authority tests the built-in authority in a cluster: certs.Secret,
// internal/manage/authority and internal/manage/injection against a real API server,
// each with a user or ServiceAccount that may do no more than deploy's Roles allow.
package authority
