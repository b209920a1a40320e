// Package weave makes CRDs of several versions and the tables between them at the
// same time, so that a table of any size is right by its making. One file makes the
// rows of one mapping.
package weave
