package patch

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzDiff applies what comes out with the API server's library.
func FuzzDiff(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":[1,{"b":null}],"c/d":{"~":1}}`, `{"a":[{"b":1},2],"c/d":{"~":"x"}}`},
		{`[1,2,3]`, `[3,2,1]`},
		{`{"\u0061":1.0}`, `{"a":1}`},
		{`{"a":[[[],[1]],[2]]}`, `{"a":[[[],[1,1]],[2,[]]]}`},
		{`null`, `{}`},
		{`0`, `0e080000000000000000000`},
		{`{`, `1`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, from, to string) {
		patch, err := Diff(nil, []byte(from), []byte(to))
		if from == to {
			if err != nil || len(patch) > 0 {
				t.Fatalf("%s, %v for the same bytes", patch, err)
			}
			return
		}
		valid := true
		var s jsontext.Scanner
		for _, document := range []string{from, to} {
			s.Reset([]byte(document))
			_, wrong := s.Document()
			valid = valid && wrong == nil
		}
		if valid != (err == nil) {
			t.Fatalf("valid: %v, but %v", valid, err)
		}
		if valid {
			mustGive(t, from, patch, to)
		}
	})
}
