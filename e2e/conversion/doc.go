// Package conversion holds what the end-to-end tests of every example, in e2e/systems,
// leave out: exact values, however small or empty or large, several managers of one
// object, random edits, and what happens while the API server restarts or Crosswalk is
// away. A real API server converts through the real program, with either version
// stored; for types that convert themselves, through a manager of controller-runtime.
package conversion
