package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Converter converts one object; see conversion.Converter.
type Converter interface {
	Group() string
	Kind() string
	Versions() []string
	Convert(dst, object []byte, to string) ([]byte, error)
}

// Kind is a kind of object with a table.
type Kind struct {
	Converter Converter
	// ListKind is the kind of a list of these objects, for example CronTabList.
	ListKind string
}

// Rewriter converts the objects in streams of documents.
type Rewriter struct {
	Kinds  []Kind
	Target Target
	// Strip removes Crosswalk's own annotations from converted objects, and from objects that
	// already have the target version. If it is nil, they stay.
	Strip func(dst, object []byte) ([]byte, error)
	// Output is the format to write, for every document. If it is nil, each document keeps its
	// format.
	Output *manifest.Format
}

// Failure names a document that could not be converted, and the reason. The output does not
// contain the document.
type Failure struct {
	// Document is the number of the document in the stream, from 1. Line is its line. Item is
	// the number of the item of a List, or 0 if the document is the object itself.
	Document, Line, Item int
	Err                  error
}

// Error formats as
//
//	document 2, line 14: CronTab default/backup: v1beta1 to v1: at /spec/hostPort: reason
func (f *Failure) Error() string {
	place := fmt.Sprintf("document %d, line %d", f.Document, f.Line)
	if f.Item > 0 {
		place += fmt.Sprintf(", item %d", f.Item)
	}
	return place + ": " + f.Err.Error()
}

// unreadable returns the failure of a document that cannot be parsed.
func unreadable(doc manifest.Document, err error) *Failure {
	var syntax *manifest.SyntaxError
	if errors.As(err, &syntax) {
		return &Failure{Document: doc.Number, Line: syntax.Line, Err: errors.New(syntax.Reason)}
	}
	return &Failure{Document: doc.Number, Line: doc.Line, Err: err}
}

// Unwrap returns the reason without the place.
func (f *Failure) Unwrap() error { return f.Err }

// Rewrite appends the stream, converted, to dst.
func (r *Rewriter) Rewrite(dst, stream []byte) ([]byte, []*Failure) {
	format := manifest.Detect(stream)
	docs, broken := manifest.Split(stream, format)
	var failures []*Failure
	for _, doc := range docs {
		text := doc.Text
		var failed []*Failure
		if doc.Number > 0 {
			if format == manifest.JSON {
				text, failed = r.rewriteJSON(doc)
			} else {
				text, failed = r.rewriteYAML(doc)
			}
		}
		for _, failure := range failed {
			failure.Document = doc.Number
		}
		failures = append(failures, failed...)
		if text == nil {
			continue
		}
		if r.Output == nil || *r.Output == format {
			dst = append(append(dst, doc.Before...), text...)
			continue
		}
		var err error
		if dst, err = reformat(dst, doc, text, format); err != nil {
			failures = append(failures, unreadable(doc, err))
		}
	}
	var syntax *manifest.SyntaxError
	if errors.As(broken, &syntax) {
		failures = append(failures, &Failure{Document: syntax.Number, Line: syntax.Line, Err: errors.New(syntax.Reason)})
	}
	return dst, failures
}

// find returns the kind of an object with a table, or of a list of such objects.
func (r *Rewriter) find(apiVersion, kind string) (found *Kind, list bool) {
	if apiVersion == "v1" && kind == "List" {
		return nil, true
	}
	group, _, _ := strings.Cut(apiVersion, "/")
	for i := range r.Kinds {
		if r.Kinds[i].Converter.Group() != group || r.Target.Group != "" && r.Target.Group != group {
			continue
		}
		switch kind {
		case r.Kinds[i].Converter.Kind():
			return &r.Kinds[i], false
		case r.Kinds[i].ListKind:
			return &r.Kinds[i], true
		}
	}
	return nil, false
}

// convert returns the object in the target version, or the very same bytes if there is nothing
// to do.
func (r *Rewriter) convert(kind *Kind, apiVersion string, object []byte) ([]byte, error) {
	group, version, _ := strings.Cut(apiVersion, "/")
	if !slices.Contains(kind.Converter.Versions(), r.Target.Version) {
		return nil, fmt.Errorf("%s (%s) has no version %s; it has %s; to convert one group only, write --to GROUP/%s",
			kind.Converter.Kind(), group, r.Target.Version, strings.Join(kind.Converter.Versions(), ", "), r.Target.Version)
	}
	converted := object
	var err error
	if version != r.Target.Version {
		if converted, err = kind.Converter.Convert(nil, object, r.Target.Version); err != nil {
			return nil, err
		}
	}
	if r.Strip == nil {
		return converted, nil
	}
	stripped, err := r.Strip(nil, converted)
	if err != nil {
		return nil, err
	}
	if sameJSON(stripped, object) {
		return object, nil
	}
	return stripped, nil
}

// sameJSON reports whether two texts differ at most in white space: Strip may move members
// together even if it removes nothing.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
