package schema

import (
	"bytes"
	"encoding/json"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzCanonical holds canonical JSON against what the API server hands back: two
// texts that it decodes to the same have the same canonical form, which is a fixed
// point. It is more lenient than the scanner with members that occur twice and with
// what is no UTF-8, and refuses numbers beyond float64.
func FuzzCanonical(f *testing.F) {
	for _, text := range []string{`{"b":1.0,"a":[1.50,-0,-0.0,1e3,9223372036854775808,9223372036854775807],"":null}`, `"\u00e9\/\ud83d\ude00\u2028<>&\u007f\b"`,
		`[1E400]`, `{"\u0062":{},"a\n":[[]]}`, `123456789012345678901234567890`, `1e-7`, `[0.000001,1e21,100000000000000000000000]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var scan jsontext.Scanner
		scan.Reset(text)
		if _, err := scan.Document(); err != nil || len(text) > 1<<13 {
			return
		}
		canonical := Canonical(nil, text, nil)
		if again := Canonical(nil, canonical, nil); !bytes.Equal(again, canonical) {
			t.Fatalf("%s becomes %s", canonical, again)
		}
		var v any
		if err := utiljson.Unmarshal(text, &v); err != nil {
			return
		}
		back, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := Canonical(nil, back, nil); !bytes.Equal(got, canonical) {
			t.Fatalf("%s, and of what the API server hands back, %s: %s", canonical, back, got)
		}
	})
}

// Members that the API server prunes are left out, and members that the schema leaves open stay.
func TestPruned(t *testing.T) {
	text := &Schema{Type: "string"}
	s := &Schema{Type: "object", Members: map[string]*Schema{
		"a": text, "l": {Type: "array", Items: &Schema{Type: "object", Members: map[string]*Schema{"x": text}}},
		"m": {Type: "object", Values: text}, "o": {Type: "object", Open: true, Members: map[string]*Schema{"x": {Type: "object"}}}, "any": Any(),
	}}
	const value = `{"u":1,"a":{"u":1},"l":[{"x":"1","u":2},5],"m":{"k":{"u":1}},"o":{"u":{"v":1},"x":{"u":1}},"any":{"u":[{"v":1}]}}`
	want := `{"a":{},"any":{"u":[{"v":1}]},"l":[{"x":"1"},5],"m":{"k":{}},"o":{"u":{"v":1},"x":{}}}`
	if got := new(Writer).Pruned(nil, []byte(value), s); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Canonical(nil, []byte(value), s); !bytes.Contains(got, []byte(`"u":1`)) {
		t.Errorf("the canonical form lacks something: %s", got)
	}
}

// What is alike is completed to the same bytes, whether defaults are written out or not.
func TestComplete(t *testing.T) {
	five := &Schema{Type: "integer", Default: []byte("5"), Whole: []byte("5")}
	s := &Schema{Type: "object", Members: map[string]*Schema{"a": five, "c": five, "e": five}}
	const want = `{"a":5,"b":1,"c":5,"d":2,"e":5}`
	for _, value := range []string{`{"d":2,"b":1}`, `{"c":5,"d":2,"b":1}`, `{"e":5,"c":null,"d":2,"b":1,"a":5}`} {
		if got := Complete(nil, []byte(value), s); string(got) != want {
			t.Errorf("%s\ngives %s\nwant  %s", value, got, want)
		}
	}
}
