// Package stash is the format in which a version's data travels in an
// annotation while an object is in another version.
//
//	stash.crosswalk.dev/v1beta1: {"format":1,"entries":[
//	  {"at":["spec","timeZone"],"value":"UTC"},
//	  {"at":["spec","jobs",{"key":{"name":"a"}},"cmd"],"guard":"k3J…","row":"9fA…"}]}
//
// An entry says what stands at a place of the owning version: a value, or
// nothing where "value" is missing. With a guard it holds only while what the
// row reads in the other version is what it was. "row" is the mark of the row's
// meaning.
package stash

import (
	"errors"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

const (
	// Prefix is what the names of all stashes begin with; the owning version
	// follows.
	Prefix = "stash.crosswalk.dev/"
	// StatusSuffix follows the version in the name of the stash that holds the
	// entries of status.
	StatusSuffix = ".status"
	// Incomplete is the annotation that names places for which there was no
	// room.
	Incomplete = "crosswalk.dev/incomplete"
	// MaxVersion is how long the name of a version can be, so that its stashes
	// have valid names: the name of an annotation, behind its prefix, has at
	// most 63 characters (k8s.io/apimachinery/pkg/util/validation).
	MaxVersion = 63 - len(StatusSuffix)

	format = 1
)

// Owner returns the version that owns the stash of this name. It reports false
// for other annotations.
func Owner(name []byte) (version []byte, ok bool) {
	if len(name) <= len(Prefix) || string(name[:len(Prefix)]) != Prefix {
		return nil, false
	}
	version = name[len(Prefix):]
	if n := len(version) - len(StatusSuffix); n > 0 && string(version[n:]) == StatusSuffix {
		version = version[:n]
	}
	return version, true
}

// IsOurs says whether an annotation is one of Crosswalk's own.
func IsOurs(name string) bool {
	return strings.HasPrefix(name, Prefix) || name == Incomplete
}

// Entry is one place of the owning version.
type Entry struct {
	At []Step
	// Value is JSON; nil says that nothing stands here.
	Value []byte
	Guard []byte
	Row   []byte
}

// Step leads from a place to one inside it.
type Step struct {
	// Name is a member, if the step is neither a key nor content.
	Name []byte
	// Key is the canonical JSON of an element's key members.
	Key []byte
	// Content is the hash of an element as the rows produce it, and Nth tells
	// equal elements apart, from 0.
	Content []byte
	Nth     int
}

// Writer writes a stash. The zero value is empty and ready.
type Writer struct {
	text []byte
}

// Reset empties the writer.
func (w *Writer) Reset() { w.text = w.text[:0] }

// Add adds an entry. Equal sequences of entries give equal texts.
func (w *Writer) Add(e Entry) {
	if len(w.text) == 0 {
		w.text = append(w.text, `{"format":1,"entries":[`...)
	} else {
		w.text = append(w.text, ',')
	}
	w.text = append(w.text, `{"at":[`...)
	for i, s := range e.At {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		switch {
		case s.Key != nil:
			w.text = append(w.text, `{"key":`...)
			w.text = append(w.text, s.Key...)
			w.text = append(w.text, '}')
		case s.Content != nil:
			w.text = append(w.text, `{"content":`...)
			w.text = jsontext.Quote(w.text, s.Content)
			w.text = append(w.text, `,"nth":`...)
			w.text = strconv.AppendInt(w.text, int64(s.Nth), 10)
			w.text = append(w.text, '}')
		default:
			w.text = jsontext.Quote(w.text, s.Name)
		}
	}
	w.text = append(w.text, ']')
	for _, m := range [...]struct {
		name string
		text []byte
	}{{`,"value":`, e.Value}, {`,"guard":`, e.Guard}, {`,"row":`, e.Row}} {
		if m.text == nil {
			continue
		}
		w.text = append(w.text, m.name...)
		if m.name == `,"value":` {
			w.text = append(w.text, m.text...)
		} else {
			w.text = jsontext.Quote(w.text, m.text)
		}
	}
	w.text = append(w.text, '}')
}

// Empty says that nothing was added.
func (w *Writer) Empty() bool { return len(w.text) == 0 }

// AppendQuoted appends the whole stash as a JSON string, the value of its
// annotation.
func (w *Writer) AppendQuoted(dst []byte) []byte {
	w.text = append(w.text, `]}`...)
	dst = jsontext.Quote(dst, w.text)
	w.text = w.text[:len(w.text)-2]
	return dst
}

var errFormat = errors.New("not a stash of a known format")

// Read appends the entries of a stash, which is the text of an annotation. It
// believes nothing but what it understands whole: any error means that none
// of the entries may be used.
func Read(entries []Entry, text []byte) ([]Entry, error) {
	var scan jsontext.Scanner
	scan.Reset(text)
	whole, err := scan.Document()
	if err != nil {
		return entries, err
	}
	r := reader{scan: &scan}
	known := false
	var list int = -1
	if err := r.members(int(whole.Start), func(name string, at, end int) error {
		switch name {
		case "format":
			known = string(text[at:end]) == strconv.Itoa(format)
		case "entries":
			list = at
		}
		return nil
	}); err != nil || !known || list < 0 {
		return entries, errFormat
	}
	before := len(entries)
	err = r.elements(list, func(at, _ int) error {
		e, err := r.entry(at)
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return entries[:before], err
	}
	return entries, nil
}

// reader walks JSON that has been validated.
type reader struct{ scan *jsontext.Scanner }

func (r reader) members(pos int, visit func(name string, at, end int) error) error {
	if r.scan.Src[pos] != '{' {
		return errFormat
	}
	o := r.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return err
		}
		end, err := r.scan.Value(o.Value, 0)
		if err != nil {
			return err
		}
		if err := visit(string(jsontext.Unquote(nil, name.Bytes(r.scan.Src))), o.Value, end); err != nil {
			return err
		}
		o.End = end
	}
}

func (r reader) elements(pos int, visit func(at, end int) error) error {
	if r.scan.Src[pos] != '[' {
		return errFormat
	}
	a := r.scan.Array(pos)
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return err
		}
		end, err := r.scan.Value(a.Value, 0)
		if err != nil {
			return err
		}
		if err := visit(a.Value, end); err != nil {
			return err
		}
		a.End = end
	}
}

func (r reader) entry(pos int) (e Entry, err error) {
	err = r.members(pos, func(name string, at, end int) error {
		switch name {
		case "at":
			return r.elements(at, func(at, end int) error {
				s, err := r.step(at, end)
				e.At = append(e.At, s)
				return err
			})
		case "value":
			e.Value = r.scan.Src[at:end]
		case "guard":
			return r.text(&e.Guard, at, end)
		case "row":
			return r.text(&e.Row, at, end)
		default:
			return errFormat
		}
		return nil
	})
	if err == nil && len(e.At) == 0 {
		err = errFormat
	}
	return e, err
}

func (r reader) step(at, end int) (s Step, err error) {
	if r.scan.Src[at] == '"' {
		return s, r.text(&s.Name, at, end)
	}
	err = r.members(at, func(name string, at, end int) error {
		switch name {
		case "key":
			s.Key = r.scan.Src[at:end]
		case "content":
			return r.text(&s.Content, at, end)
		case "nth":
			n, err := strconv.Atoi(string(r.scan.Src[at:end]))
			if err != nil || n < 0 {
				return errFormat
			}
			s.Nth = n
		default:
			return errFormat
		}
		return nil
	})
	if err == nil && (s.Key == nil) == (s.Content == nil) {
		err = errFormat
	}
	return s, err
}

func (r reader) text(to *[]byte, at, end int) error {
	if r.scan.Src[at] != '"' {
		return errFormat
	}
	*to = jsontext.Unquote([]byte{}, r.scan.Src[at+1:end-1])
	return nil
}
