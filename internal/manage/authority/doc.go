// Package authority keeps the built-in authority in two Secrets: one with the CA
// and its key, which only the managing role reads, and one with the serving
// certificate and the bundle, which every replica that serves reads.
//
// What is done when is [certs.Keyring]'s to say; this package writes it down,
// the CA's Secret first. Every write carries the resourceVersion that was read,
// so of two managers that are at it one fails and looks again: there is never
// more than one CA.
//
// It needs get, list, watch and update for the two Secrets by name, and create
// for Secrets, which RBAC cannot restrict by name; whoever does not want to give
// that makes both Secrets empty beforehand.
package authority
