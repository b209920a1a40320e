package config

import (
	"fmt"
	"strings"
)

// Errors is everything that is wrong with a configuration, in the order of the
// files.
type Errors []*Error

// Error gives one line per error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As and errors.Is every one of them.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Error is one thing that is wrong, and where.
type Error struct {
	// File is the path as it was given, extended by the file's name where a
	// folder was.
	File string
	// Document counts the documents of the file from 1; 0 is the whole file.
	Document int
	// Line counts the lines of the file from 1; 0 is unknown.
	Line int
	Err  error
}

// Error formats as
//
//	tables.yaml: document 2, line 14: .spec.hubb: unknown field; did you mean hub?
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	switch {
	case e.Document > 0 && e.Line > 0:
		fmt.Fprintf(&b, "document %d, line %d: ", e.Document, e.Line)
	case e.Document > 0:
		fmt.Fprintf(&b, "document %d: ", e.Document)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap gives what is wrong without the place.
func (e *Error) Unwrap() error { return e.Err }
