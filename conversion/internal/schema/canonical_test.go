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
