package graft

import (
	"bytes"
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

// KeyNames are the names of the members of a key, nil where it is none.
func KeyNames(key []byte) [][]byte {
	var names [][]byte
	if len(key) > 0 && key[0] == '{' {
		Members(key, func(name, _ []byte) { names = append(names, name) })
	}
	return names
}

// KnownKey is a key without the members that the schema of the elements has no more,
// if it had any.
func KnownKey(key []byte, of *schema.Schema) []byte {
	if of == nil || len(key) == 0 || key[0] != '{' {
		return key
	}
	known := []byte{'{'}
	Members(key, func(name, value []byte) {
		if of.Member(string(name)) != nil {
			known = appendMember(known, name, value)
		}
	})
	return append(known, '}')
}

// KeyIn is the canonical key that an element has in these members, nil where it
// has none.
func KeyIn(element []byte, names [][]byte, of *schema.Schema) []byte {
	if len(names) == 0 || len(element) == 0 || element[0] != '{' {
		return nil
	}
	found := make([][]byte, len(names))
	for i, name := range names {
		if m := memberOf(of, name); m != nil {
			found[i] = m.Default
		}
	}
	Members(element, func(name, value []byte) {
		if i := slices.IndexFunc(names, func(n []byte) bool { return bytes.Equal(n, name) }); i >= 0 {
			found[i] = value
		}
	})
	text := []byte{'{'}
	for i, name := range names {
		if found[i] == nil {
			return nil
		}
		text = appendMember(text, name, found[i])
	}
	return schema.Canonical(nil, append(text, '}'), nil)
}
