// Package mapping converts values. It has a file for each mapping of the language that computes something,
// and each has a type that is a [plan.Mapping], or a [plan.Computer] if it may read fields that other rows map.
//
// A mapping gets the values of one side as JSON and returns those of the other side, or false if it can't. It
// knows nothing of stashes, guards or edits, and need not be exact: what it loses is found by converting back.
// Package compile makes mappings of rows, and checks before that they fit the schemas.
package mapping
