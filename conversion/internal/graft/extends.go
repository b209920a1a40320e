package graft

import "bytes"

// Extends reports whether a text in canonical form has all that another one has, and
// maybe more.
func Extends(less, more []byte) bool {
	switch {
	case bytes.Equal(less, more):
		return true
	case len(less) == 0 || len(more) == 0 || less[0] != more[0]:
		return false
	case less[0] == '{':
		has := map[string][]byte{}
		Members(more, func(name, value []byte) { has[string(name)] = value })
		all := true
		Members(less, func(name, value []byte) { all = all && Extends(value, has[string(name)]) })
		return all
	case less[0] == '[':
		var rest [][]byte
		Elements(more, func(value []byte) { rest = append(rest, value) })
		all := true
		Elements(less, func(value []byte) {
			for len(rest) > 0 && !Extends(value, rest[0]) {
				rest = rest[1:]
			}
			if all = all && len(rest) > 0; all {
				rest = rest[1:]
			}
		})
		return all
	}
	return false
}

// Keeps reports whether what an object was beyond what it would have been without
// something is still so. All are in canonical form.
func Keeps(without, was, is []byte) bool {
	switch {
	case bytes.Equal(without, was):
		return true
	case len(was) == 0 || was[0] != '{' || len(is) == 0 || is[0] != '{':
		return Extends(was, is)
	}
	has, bare := map[string][]byte{}, map[string][]byte{}
	Members(is, func(name, value []byte) { has[string(name)] = value })
	if len(without) > 0 && without[0] == '{' {
		Members(without, func(name, value []byte) { bare[string(name)] = value })
	}
	all := true
	Members(was, func(name, value []byte) {
		all = all && Keeps(bare[string(name)], value, has[string(name)])
		delete(bare, string(name))
	})
	for name := range bare {
		all = all && has[name] == nil // it was taken away
	}
	return all
}
