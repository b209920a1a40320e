package config

import (
	"errors"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// loader collects the content of the files.
type loader struct {
	errors     Errors
	crds       []found[*apiextensionsv1.CustomResourceDefinition]
	crosswalks []found[*v1alpha1.Crosswalk]
	policies   []*Policy
	bindings   []*binding
	// refused reports that a document existed but could not be read, so that one mistake is not
	// reported as two.
	refused bool
}

type found[T any] struct {
	name   string
	object T
	source Source
	node   *manifest.Node
}

// files lists the files of the paths, in the given order, each once.
func (l *loader) files(paths []string) []string {
	var files []string
	for _, path := range paths {
		found, err := manifest.Files(path)
		if err != nil {
			l.errors = append(l.errors, &Error{File: path, Err: err})
		}
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func (l *loader) file(path string) {
	data, err := manifest.ReadFile(path)
	if err != nil {
		l.errors = append(l.errors, &Error{File: path, Err: err})
		return
	}
	documents, errs := Documents(path, data)
	for _, d := range documents {
		l.object(d.Node, d.Source)
	}
	if len(errs) > 0 {
		l.refused = true
		l.errors = append(l.errors, errs...)
	}
}

// Document is one document of a file.
type Document struct {
	// Node is nil for an empty document.
	Node   *manifest.Node
	Source Source
}

// Documents reads the text of a file. It returns the documents that can be read, whatever is
// wrong with the others.
func Documents(file string, text []byte) ([]Document, Errors) {
	var all []Document
	var errs Errors
	format := manifest.Detect(text)
	docs, err := manifest.Split(text, format)
	for _, doc := range docs {
		if doc.Number == 0 {
			continue
		}
		node, err := manifest.Parse(doc, format)
		source := Source{File: file, Document: doc.Number, Line: doc.Line}
		if err != nil {
			errs = append(errs, syntax(source, manifest.Pinpoint(doc, err)))
			continue
		}
		if node != nil {
			source.Line = node.Line
		}
		all = append(all, Document{Node: node, Source: source})
	}
	if err != nil {
		errs = append(errs, syntax(Source{File: file, Document: len(docs) + 1}, err))
	}
	return all, errs
}

func syntax(at Source, err error) *Error {
	at.Line = 0
	var syntax *manifest.SyntaxError
	if errors.As(err, &syntax) {
		at.Line, err = syntax.Line, errors.New(syntax.Reason)
	}
	return at.fail(err)
}

func (l *loader) fail(source Source, err error) {
	l.refused = true
	l.errors = append(l.errors, source.fail(err))
}

// failAll reports the problems of a document.
func (l *loader) failAll(source Source, what string, problems []problem) {
	for _, problem := range problems {
		at := source
		at.Line = problem.line
		l.fail(at, fmt.Errorf("%s: %w", what, problem.err))
	}
}

func name(node *manifest.Node) string {
	if name := node.Get("metadata").GetString("name"); name != "" {
		return name
	}
	return "without a name"
}
