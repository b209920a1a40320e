package typed

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// A document is decoded JSON: map[string]any, []any, string, json.Number, bool or nil.

// decode parses one JSON value, which must be valid.
func decode(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	_ = d.Decode(&v) // it is valid
	return v
}

// appendJSON writes a document, with sorted members, and numbers as the API server keeps them.
// Equal documents give equal texts.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.Quote(dst, name), ':')
			dst = appendJSON(dst, v[name])
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, element := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, element)
		}
		return append(dst, ']')
	case string:
		return jsontext.Quote(dst, v)
	case json.Number:
		return jsontext.AppendNumber(dst, []byte(v))
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}

// same compares documents.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for name, value := range a {
			if theirs, there := other[name]; !there || !same(value, theirs) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, same)
	case json.Number:
		other, ok := b.(json.Number)
		return ok && (a == other || bytes.Equal(appendJSON(nil, a), appendJSON(nil, other)))
	}
	return a == b
}

// nothing represents an absent value of a document.
type nothing struct{}

func missing(v any) bool { return v == nothing{} }
