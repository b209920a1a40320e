package config

import (
	"fmt"
	"strings"
)

// Errors lists everything that is wrong with a configuration, in the order of the files.
type Errors []*Error

// Error returns one line per error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As and errors.Is find every error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Error is one error, and where it is.
type Error struct {
	// File is the path as it was given. If that is a folder, the file's name follows.
	File string
	// Document is the number of the document in the file, from 1; 0 means the whole file.
	Document int
	// Line is the number of the line in the file, from 1; 0 means unknown.
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

// Unwrap returns the error without its place.
func (e *Error) Unwrap() error { return e.Err }
