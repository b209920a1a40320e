// Package tell makes the texts of conditions and Events: it finds which client changed which
// fields of an object, and cuts a text to the size that Kubernetes allows.
package tell
