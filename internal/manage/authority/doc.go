// Package authority keeps the built-in authority in two Secrets. One has the CA and its key,
// and only the managing role reads it. The other has the serving certificate and the bundle,
// and every serving replica reads it.
//
// [certs.Keyring] decides what to do and when. This package writes the results, the CA's Secret
// first. Every write carries the resourceVersion that was read, so if two managers write, one
// fails and reads again: there is never more than one CA.
//
// It needs get, list, watch and update for the two Secrets by name, and create for Secrets,
// which RBAC cannot restrict by name. If you do not want to grant create, create both Secrets
// empty beforehand.
package authority
