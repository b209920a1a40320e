package graft

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// contentOf is what the engine tells elements without a key apart by
// (conversion/internal/engine/guard.go).
func contentOf(value []byte, of *schema.Schema) []byte {
	sum := sha256.Sum256(schema.Content(nil, value, of))
	return base64.RawURLEncoding.AppendEncode(nil, sum[:12])
}

// KeyNames are the names that lead to the values in a key, nil where it is none.
func KeyNames(key []byte) [][]string {
	if len(key) == 0 || key[0] != '{' {
		return nil
	}
	var names [][]string
	var at []string
	scan := reading(key)
	var walk func(name []byte, pos int) (end int)
	walk = func(name []byte, pos int) (end int) {
		at = append(at, string(name))
		if key[pos] == '{' {
			end = members(scan, pos, walk)
		} else {
			names, end = append(names, slices.Clone(at)), skip(scan, pos)
		}
		at = at[:len(at)-1]
		return end
	}
	members(scan, 0, walk)
	return names
}

// KnownKey is a key without what the schema of the elements has no more, if it had
// any.
func KnownKey(key []byte, of *schema.Schema) []byte {
	if of == nil || len(key) == 0 || key[0] != '{' {
		return key
	}
	known := []byte{'{'}
	Members(key, func(name, value []byte) {
		if m := of.Member(string(name)); m != nil {
			if value = KnownKey(value, m); len(value) != len("{}") || value[0] != '{' {
				known = appendMember(known, name, value)
			}
		}
	})
	return append(known, '}')
}

// KeyIn is the canonical key that an element has at these places, nil where it has
// none.
func KeyIn(element []byte, names [][]string, of *schema.Schema) []byte {
	if len(names) == 0 || len(element) == 0 || element[0] != '{' {
		return nil
	}
	key := keyIn(element, names, of)
	if key == nil {
		return nil
	}
	return schema.Canonical(nil, key, nil)
}

// keyIn is an object with what a value has at these places alone, nil where it lacks
// one of them.
func keyIn(value []byte, names [][]string, of *schema.Schema) []byte {
	if of != nil && (value == nil || value[0] == 'n' && !of.Nullable) {
		value = of.Default
	}
	switch isObject := len(value) > 0 && value[0] == '{'; {
	case len(value) == 0 || !isObject && len(names[0]) > 0 || isObject && len(names[0]) == 0:
		return nil
	case !isObject:
		return value
	}
	has := map[string][]byte{}
	Members(value, func(name, value []byte) { has[string(name)] = value })
	text := []byte{'{'}
	for len(names) > 0 {
		name := names[0][0]
		var inside [][]string
		for ; len(names) > 0 && names[0][0] == name; names = names[1:] { // they are next to each other
			inside = append(inside, names[0][1:])
		}
		found := keyIn(has[name], inside, memberOf(of, []byte(name)))
		if found == nil {
			return nil
		}
		text = appendMember(text, []byte(name), found)
	}
	return append(text, '}')
}
