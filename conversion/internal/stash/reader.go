package stash

import (
	"errors"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

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
