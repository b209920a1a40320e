package main

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// A passage is text for people, and the line where it starts, from 1.
type passage struct {
	text string
	line int
}

// prose returns what a file has for people to read. Everything but Go is one passage.
func prose(path string, text []byte) []passage {
	if filepath.Ext(path) != ".go" {
		return []passage{{string(text), 1}}
	}
	return ofGo(text)
}

// ofGo returns comments, of which those on neighbouring lines are one passage, strings, and
// the words of names.
func ofGo(text []byte) []passage {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	var passages []passage
	comment := false // the last passage is one
	for {
		at, kind, literal := s.Scan()
		line := file.Line(at)
		switch kind {
		case token.EOF:
			return passages
		case token.COMMENT:
			if last := len(passages) - 1; comment && passages[last].line+strings.Count(passages[last].text, "\n")+1 == line {
				passages[last].text += "\n" + literal
				continue
			}
			comment = true
			passages = append(passages, passage{literal, line})
			continue
		case token.STRING:
			passages = append(passages, passage{literal, line})
		case token.IDENT:
			// A plural noun is a good name for a map of numbers.
			if words := ofName(literal); words != "counts" {
				passages = append(passages, passage{words, line})
			}
		case token.SEMICOLON:
			if literal == "\n" {
				continue // the scanner's own, before a comment at the end of a line
			}
		}
		comment = false
	}
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// ofName returns the words of a name: "saysWhether" becomes "says whether".
func ofName(name string) string {
	return strings.ToLower(humps.ReplaceAllString(name, "$1 $2"))
}
