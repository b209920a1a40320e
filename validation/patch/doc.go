// Package patch writes the changes of a JSON document as a JSON Patch (RFC 6902), the format
// that the API server requires from a mutating webhook.
package patch
