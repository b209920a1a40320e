package complement

import (
	"bytes"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// schemaOf reads a schema.
func schemaOf(t testing.TB, text string) *schema.Schema {
	t.Helper()
	var props apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(text), &props); err != nil {
		t.Fatal(err)
	}
	return schema.New(&props, false)
}

const withDefaults = `
type: object
properties:
  a: {type: integer, default: 5}
  nil: {type: string, nullable: true}
  o:
    type: object
    default: {x: 1}
    properties:
      x: {type: integer}
      s: {type: string, default: ""}
  l:
    type: array
    default: [1]
    items: {type: integer}
  m: {type: object, additionalProperties: {type: string}}
`

// TestHashFades: what some table drops is nothing in the hash of what it is in, but for the full hash.
func TestHashFades(t *testing.T) {
	of := schemaOf(t, "{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}")
	of.Members["a"].Members["b"].Drop()
	with, without := parsed(`{"a":{"b":"x"}}`, of), parsed(`{"a":{}}`, of)
	for range 2 { // the second time, hashes are known
		if with.hash(0) != without.hash(0) {
			t.Error("what is around it has another hash")
		}
		if with.fullHash(0) == without.fullHash(0) {
			t.Error("what is around it has the same full hash")
		}
		if with.hash(with.at(0, []string{"a", "b"})) == absent {
			t.Error("it has no hash itself")
		}
	}
}

// FuzzHash compares hashes and same with the canonical form that package schema writes: two values are
// one exactly if they have the same.
func FuzzHash(f *testing.F) {
	for _, pair := range [][2]string{
		{`{}`, `{"a":5}`}, {`{"a":5.0}`, `{"a":5}`}, {`{"a":6}`, `{}`}, {`{"nil":null}`, `{}`}, {`{"a":null}`, `{}`},
		{`{"o":{}}`, `{}`}, {`{"o":{"x":1}}`, `{}`}, {`{"o":{"x":1,"s":""}}`, `{"o":{"x":1}}`}, {`{"l":[]}`, `{}`}, {`{"l":[1]}`, `{}`},
		{`{"b":"\u0061","c":1}`, `{"c":1e0,"b":"a"}`}, {`[null]`, `[]`}, {`{"l":[1,null]}`, `{"l":[1]}`}, {`"a"`, `["a"]`},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	of := schemaOf(f, withDefaults)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, text := range [][]byte{a, b} {
			var scan jsontext.Scanner
			scan.Reset(text)
			if _, err := scan.Document(); err != nil {
				return
			}
		}
		x, y := parsed(string(a), of), parsed(string(b), of)
		p, q := schema.Canonical(nil, a, of), schema.Canonical(nil, b, of)
		want := bytes.Equal(p, q)
		if got := x.hash(0) == y.hash(0); got != want {
			t.Errorf("%s and %s: the hashes are the same: %t; canonical: %s and %s", a, b, got, p, q)
		}
		if got := same(x, 0, y, 0); got != want {
			t.Errorf("%s and %s: same says %t; canonical: %s and %s", a, b, got, p, q)
		}
		if same(y, 0, x, 0) != want {
			t.Errorf("%s and %s: same depends on the order", a, b)
		}
	})
}

// What some table drops, and what is sensitive, does not count in a hash, but does in a comparison.
func TestHashLeavesOut(t *testing.T) {
	of := schemaOf(t, withDefaults)
	of.Members["a"].Fades, of.Members["nil"].Sensitive = true, true
	x, y := parsed(`{"a":1,"nil":"x","b":1}`, of), parsed(`{"a":2,"b":1}`, of)
	if x.hash(0) != y.hash(0) || same(x, 0, y, 0) {
		t.Error("a dropped or a sensitive value counts in the hash, or does not in the comparison")
	}
}
