package object

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Strip appends an object to dst, without Crosswalk's own annotations, and without annotations and
// metadata that had nothing else.
func Strip(dst, object []byte) ([]byte, error) {
	var scan jsontext.Scanner
	scan.Reset(object)
	span, err := scan.Document()
	if err != nil {
		return dst, err
	}
	w := walker{scan: &scan}
	out, _, _ := w.strip(dst, int(span.Start), "metadata", "annotations")
	return out, nil
}

// walker goes through the bytes of an object.
type walker struct{ scan *jsontext.Scanner }

// strip copies the object at pos without Crosswalk's annotations, which are at path. It reports
// whether that left the object empty.
func (w walker) strip(dst []byte, pos int, path ...string) (out []byte, end int, emptied bool) {
	src := w.scan.Src
	if src[pos] != '{' {
		end, _ = w.scan.Value(pos, 0)
		return append(dst, src[pos:end]...), end, false
	}
	dst = append(dst, '{')
	open, removed := len(dst), false
	o := w.scan.Object(pos)
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
			o.End, _ = w.scan.Value(o.Value, 0)
			dst = append(dst, src[o.Value:o.End]...)
		case text == path[0]:
			dst, o.End, drop = w.strip(dst, o.Value, path[1:]...)
		default:
			o.End, _ = w.scan.Value(o.Value, 0)
			dst = append(dst, src[o.Value:o.End]...)
		}
		if drop {
			dst, removed = dst[:before], true
		}
	}
	return append(dst, '}'), o.End, removed && len(dst) == open
}

// Name returns the namespace and the name for a message, as far as the object can be read.
func Name(object []byte) (namespace, name string) {
	var scan jsontext.Scanner
	scan.Reset(object)
	w := walker{scan: &scan}
	if pos := scan.Space(0); pos < len(object) && object[pos] == '{' {
		if at := w.find(pos, "metadata"); at >= 0 && object[at] == '{' {
			return w.text(w.find(at, "namespace")), w.text(w.find(at, "name"))
		}
	}
	return "", ""
}

// find returns the offset of a member's value, or -1.
func (w walker) find(pos int, member string) int {
	o := w.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return -1
		}
		if string(name.Bytes(w.scan.Src)) == member && o.Value < len(w.scan.Src) {
			return o.Value
		}
		if o.End, err = w.scan.Value(o.Value, 0); err != nil {
			return -1
		}
	}
}

func (w walker) text(at int) string {
	if at < 0 || w.scan.Src[at] != '"' {
		return ""
	}
	end, _, err := w.scan.String(at)
	if err != nil {
		return ""
	}
	return string(jsontext.Unquote(nil, w.scan.Src[at+1:end-1]))
}
