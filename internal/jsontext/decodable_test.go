package jsontext

import (
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FuzzDecodable asks the API server's own decoder.
func FuzzDecodable(f *testing.F) {
	for _, text := range []string{`1e400`, `[{"1e400":-1E+309}]`, `1.7976931348623157e308`, `1.7976931348623159e308`, `"1e400"`, `["\"",1e-400]`, strings.Repeat("9", 308), `{"a":-` + strings.Repeat("9", 310) + `.5}`, `[1,-2,3e3]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if document(string(text)) != nil || len(text) > MaxDepth {
			return
		}
		var v any
		if err := utiljson.Unmarshal(text, &v); (err == nil) != Decodable(text) {
			t.Fatalf("%s: %t, and the API server says %v", text, Decodable(text), err)
		}
	})
}
