// Package weave makes CRDs of several versions, and the tables between them, at the same time. So a
// table of any size is correct by construction. Each mapping has a file that makes its rows.
package weave
