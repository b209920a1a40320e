// Package authority tests the built-in authority in a cluster: certs.Secret and
// internal/manage/authority against a real API server, each with a user that may
// do no more than deploy's Roles allow.
package authority
