package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Strip appends object without Crosswalk's own annotations to dst. It is meant
// for export: what the object's version cannot hold is gone from the copy.
// Annotations and metadata that held nothing else are removed, too.
func Strip(dst, object []byte) ([]byte, error) {
	var scan jsontext.Scanner
	scan.Reset(object)
	span, err := scan.Document()
	if err != nil {
		return dst, &Error{Offset: offset(err), Reason: err.Error()}
	}
	s := stripper{scan: &scan}
	out, _, _ := s.strip(dst, int(span.Start), "metadata", "annotations")
	return out, nil
}

func offset(err error) int {
	if syntax, ok := err.(*jsontext.SyntaxError); ok {
		return syntax.Offset
	}
	return -1
}

type stripper struct{ scan *jsontext.Scanner }

// strip copies the value at pos and goes into the members that path names. It
// reports whether anything was removed that left the object empty.
func (s stripper) strip(dst []byte, pos int, path ...string) (out []byte, end int, emptied bool) {
	src := s.scan.Src
	if src[pos] != '{' {
		end, _ = s.scan.Value(pos, 0)
		return append(dst, src[pos:end]...), end, false
	}
	dst = append(dst, '{')
	open, removed := len(dst), false
	o := s.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			break
		}
		text := string(jsontext.Unquote(nil, name.Bytes(src)))
		before := len(dst)
		if before > open {
			dst = append(dst, ',')
		}
		dst = append(dst, src[name.Start-1:name.End+1]...)
		dst = append(dst, ':')
		drop := false
		switch {
		case len(path) == 0:
			drop = stash.IsOurs(text)
			o.End, _ = s.scan.Value(o.Value, 0)
			dst = append(dst, src[o.Value:o.End]...)
		case text == path[0]:
			dst, o.End, drop = s.strip(dst, o.Value, path[1:]...)
		default:
			o.End, _ = s.scan.Value(o.Value, 0)
			dst = append(dst, src[o.Value:o.End]...)
		}
		if drop {
			dst, removed = dst[:before], true
		}
	}
	return append(dst, '}'), o.End, removed && len(dst) == open
}

// objectName finds namespace and name for a message, as far as the object can
// be read.
func objectName(object []byte) (namespace, name string) {
	var scan jsontext.Scanner
	scan.Reset(object)
	s := stripper{scan: &scan}
	if pos := scan.Space(0); pos < len(object) && object[pos] == '{' {
		if at := s.find(pos, "metadata"); at >= 0 && object[at] == '{' {
			return s.text(s.find(at, "namespace")), s.text(s.find(at, "name"))
		}
	}
	return "", ""
}

// find returns where the value of a member starts, or -1.
func (s stripper) find(pos int, member string) int {
	o := s.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return -1
		}
		if string(name.Bytes(s.scan.Src)) == member && o.Value < len(s.scan.Src) {
			return o.Value
		}
		if o.End, err = s.scan.Value(o.Value, 0); err != nil {
			return -1
		}
	}
}

func (s stripper) text(at int) string {
	if at < 0 || s.scan.Src[at] != '"' {
		return ""
	}
	end, _, err := s.scan.String(at)
	if err != nil {
		return ""
	}
	return string(jsontext.Unquote(nil, s.scan.Src[at+1:end-1]))
}
