package graft

import (
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Members calls f for each member of an object that is known to be valid JSON.
func Members(text []byte, f func(name, value []byte)) {
	scan := reading(text)
	members(scan, scan.Space(0), func(name []byte, pos int) int {
		end := skip(scan, pos)
		f(name, text[pos:end])
		return end
	})
}

func reading(text []byte) *jsontext.Scanner {
	scan := &jsontext.Scanner{}
	scan.Reset(text)
	return scan
}

// members calls f for each member of the object at pos, with where its value begins, to be
// told where that ends. It says where the object does.
func members(scan *jsontext.Scanner, pos int, f func(name []byte, pos int) (end int)) (end int) {
	o := scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return o.End
		}
		o.End = f(jsontext.Unquoted(name.Bytes(scan.Src)), o.Value)
	}
}

// skip says where a value ends.
func skip(scan *jsontext.Scanner, pos int) (end int) {
	end, err := scan.Skim(pos)
	if err != nil {
		return len(scan.Src)
	}
	return end
}

// Elements calls f for each element of a list that is known to be valid JSON.
func Elements(text []byte, f func(value []byte)) {
	scan := reading(text)
	a := scan.Array(scan.Space(0))
	for {
		ok, err := a.Next()
		if err != nil || !ok {
			return
		}
		a.End = skip(scan, a.Value)
		f(text[a.Value:a.End])
	}
}
