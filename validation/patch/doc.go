// Package patch writes what changed in a JSON document as a JSON Patch
// (RFC 6902), which is what the API server takes from a mutating webhook.
package patch
