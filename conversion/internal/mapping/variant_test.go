package mapping

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzVariant feeds two values to both sides of a union.
func FuzzVariant(f *testing.F) {
	v := &Variant{Alternatives: plan.Spoke, Words: [][]byte{[]byte(`"A"`), []byte(`"é"`)}, Value: 1}
	for _, pair := range [][2]string{{`"A"`, `1`}, {`"\u00e9"`, `null`}, {`null`, `"x"`}, {`"B"`, `{}`}, {``, `[1]`}, {`1`, ``}, {``, ``}} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		in := [][]byte{nil, nil}
		for i, text := range [][]byte{a, b} {
			var scan jsontext.Scanner
			scan.Reset(text)
			if span, err := scan.Document(); err == nil {
				in[i] = span.Bytes(text)
			}
		}
		for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
			out, back := [][]byte{nil, nil}, [][]byte{nil, nil}
			if _, ok := v.Convert(nil, from, in, out); !ok {
				continue
			}
			if _, ok := v.Convert(nil, from.Other(), out, back); !ok {
				t.Fatalf("%s from the %s gives %s, and nothing back", in, from, out)
			}
			for i := range in {
				if (in[i] == nil) != (back[i] == nil) || in[i] != nil && !same(in[i], back[i]) {
					t.Fatalf("%s from the %s gives %s, and %s back", in, from, out, back)
				}
			}
		}
	})
}

func same(a, b []byte) bool {
	return string(schema.Canonical(nil, a, nil)) == string(schema.Canonical(nil, b, nil))
}
