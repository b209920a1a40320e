// Package object reads and changes what a guard needs of an object, as bytes: Crosswalk's own
// annotations, managedFields and single members. Everything else is copied unchanged.
package object

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Head is the metadata that a guard needs.
type Head struct {
	// Ours are Crosswalk's own annotations that are strings.
	Ours map[string]string
	// Managed is the value of managedFields, or nil if there is none.
	Managed []byte
}

// Check returns an error unless object is exactly one JSON value.
func Check(object []byte) error {
	var scan jsontext.Scanner
	scan.Reset(object)
	_, err := scan.Document()
	return err
}

// ReadHead reads an object. Check must have accepted it.
func ReadHead(object []byte) Head {
	h := Head{Ours: map[string]string{}}
	var scan jsontext.Scanner
	scan.Reset(object)
	w := walker{scan: &scan}
	root := scan.Space(0)
	if root >= len(object) || object[root] != '{' {
		return h
	}
	metadata := w.find(root, "metadata")
	if metadata < 0 || object[metadata] != '{' {
		return h
	}
	if at := w.find(metadata, "managedFields"); at >= 0 {
		if end, err := scan.Value(at, 0); err == nil {
			h.Managed = object[at:end]
		}
	}
	annotations := w.find(metadata, "annotations")
	if annotations < 0 || object[annotations] != '{' {
		return h
	}
	o := scan.Object(annotations)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return h
		}
		if o.End, err = scan.Value(o.Value, 0); err != nil {
			return h
		}
		text := string(jsontext.Unquote(nil, name.Bytes(object)))
		if stash.IsOurs(text) && object[o.Value] == '"' {
			h.Ours[text] = string(jsontext.Unquote(nil, object[o.Value+1:o.End-1]))
		}
	}
}

// WithOurs appends object, with ours as Crosswalk's only annotations. Check must have accepted the
// object.
func WithOurs(dst, object []byte, ours map[string]string) []byte {
	var scan jsontext.Scanner
	scan.Reset(object)
	w := walker{scan: &scan}
	dst, _ = w.set(dst, scan.Space(0), ours, "metadata", "annotations")
	return dst
}

// set copies the object at pos with changed annotations, which are at path. It makes the objects on
// the path if they are missing and ours is not empty.
func (w walker) set(dst []byte, pos int, ours map[string]string, path ...string) (out []byte, end int) {
	src := w.scan.Src
	dst = append(dst, '{')
	open, found := len(dst), false
	o := w.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			break
		}
		text := string(jsontext.Unquote(nil, name.Bytes(src)))
		if len(path) == 0 && stash.IsOurs(text) {
			o.End, _ = w.scan.Value(o.Value, 0)
			continue
		}
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(append(dst, src[name.Start-1:name.End+1]...), ':')
		if len(path) > 0 && text == path[0] && src[o.Value] == '{' {
			found = true
			dst, o.End = w.set(dst, o.Value, ours, path[1:]...)
			continue
		}
		// A value that is not a map stays: the API server rejects it.
		found = found || len(path) > 0 && text == path[0]
		o.End, _ = w.scan.Value(o.Value, 0)
		dst = append(dst, src[o.Value:o.End]...)
	}
	switch {
	case len(path) == 0:
		dst = appendOurs(dst, open, ours)
	case !found && len(ours) > 0:
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = jsontext.Quote(dst, path[0])
		dst = append(dst, ':')
		inner := walker{scan: new(jsontext.Scanner)}
		inner.scan.Reset([]byte("{}"))
		dst, _ = inner.set(dst, 0, ours, path[1:]...)
	}
	return append(dst, '}'), o.End
}

func appendOurs(dst []byte, open int, ours map[string]string) []byte {
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(jsontext.Quote(dst, name), ':')
		dst = jsontext.Quote(dst, ours[name])
	}
	return dst
}

// Member returns the value of a top-level member, or nil. Check must have accepted the object.
func Member(object []byte, name string) []byte {
	if object == nil {
		return nil
	}
	var scan jsontext.Scanner
	scan.Reset(object)
	w := walker{scan: &scan}
	at := w.find(scan.Space(0), name)
	if at < 0 {
		return nil
	}
	end, _ := scan.Value(at, 0)
	return object[at:end]
}

// WithMember appends object with a value for a top-level member, or without the member if the value
// is nil. Check must have accepted the object.
func WithMember(dst, object []byte, member string, value []byte) []byte {
	var scan jsontext.Scanner
	scan.Reset(object)
	dst = append(dst, '{')
	open := len(dst)
	o := scan.Object(scan.Space(0))
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			break
		}
		o.End, _ = scan.Value(o.Value, 0)
		if string(jsontext.Unquote(nil, name.Bytes(object))) == member {
			continue
		}
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(append(dst, object[name.Start-1:name.End+1]...), ':')
		dst = append(dst, object[o.Value:o.End]...)
	}
	if value != nil {
		if len(dst) > open {
			dst = append(dst, ',')
		}
		dst = append(append(jsontext.Quote(dst, member), ':'), value...)
	}
	return append(dst, '}')
}
