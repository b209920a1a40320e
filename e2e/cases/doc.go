// Package cases plays the cases of the examples, which crosswalk admit plays from
// files, on a real API server.
package cases
