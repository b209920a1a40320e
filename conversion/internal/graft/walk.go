package graft

import (
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Members calls f for each member of an object that is known to be valid JSON.
func Members(text []byte, f func(name, value []byte)) {
	var scan jsontext.Scanner
	scan.Reset(text)
	o := scan.Object(scan.Space(0))
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return
		}
		if o.End, err = scan.Value(o.Value, 0); err != nil {
			return
		}
		f(jsontext.Unquote([]byte{}, name.Bytes(text)), text[o.Value:o.End])
	}
}

// Elements calls f for each element of a list that is known to be valid JSON.
func Elements(text []byte, f func(value []byte)) {
	var scan jsontext.Scanner
	scan.Reset(text)
	a := scan.Array(scan.Space(0))
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return
		}
		if a.End, err = scan.Value(a.Value, 0); err != nil {
			return
		}
		f(text[a.Value:a.End])
	}
}
