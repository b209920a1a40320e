package compile

import (
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// fuzzMappings feeds one value to mappings, from either side. Whatever it is,
// they give one JSON value that its place can hold, or say that they cannot;
// and what they give maps back, to a value that gives the same again.
func fuzzMappings(f *testing.F, mappings []plan.Row, values ...string) {
	for _, value := range values {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var scan jsontext.Scanner
		scan.Reset(text)
		span, err := scan.Document()
		if err != nil {
			return
		}
		text = span.Bytes(text)
		for i, r := range mappings {
			for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
				in, out := [][]byte{text}, [][]byte{nil}
				if _, ok := r.Mapping.Convert([]byte("before"), from, in, out); !ok || out[0] == nil {
					continue
				}
				there := out[0]
				if !json.Valid(there) {
					t.Fatalf("%d: %s from the %s gives %q", i, text, from, there)
				}
				in, out = [][]byte{there}, [][]byte{nil}
				if _, ok := r.Mapping.Convert(nil, from.Other(), in, out); !ok {
					continue // rounded, or passed through
				}
				back := out[0]
				in, out = [][]byte{back}, [][]byte{nil}
				if _, ok := r.Mapping.Convert(nil, from, in, out); !ok || back != nil && !same(out[0], there) {
					t.Fatalf("%d: %s from the %s gives %s, back %s, and then %s", i, text, from, there, back, out[0])
				}
			}
		}
	})
}

func same(a, b []byte) bool {
	return string(schema.Canonical(nil, a, nil)) == string(schema.Canonical(nil, b, nil))
}

// mapped builds the mapping of a row between two places.
func mapped(f *testing.F, spoke, hub *schema.Schema, row v1alpha1.Row) plan.Row {
	f.Helper()
	row.Spoke, row.Hub = &v1alpha1.Place{Path: ".a"}, &v1alpha1.Place{Path: ".b"}
	b := &builder{versions: [2]string{"v1beta1", "v1"}, found: newFound(newKinds()), out: &plan.Scope{}}
	root := func(name string, s *schema.Schema) *schema.Schema {
		return &schema.Schema{Type: "object", Members: map[string]*schema.Schema{name: s}}
	}
	_, all := b.claims([]rowList{{rows: []v1alpha1.Row{row}}}, [2]*schema.Schema{root("a", spoke), root("b", hub)}, false)
	b.buildRows(all)
	if len(b.found.List) > 0 || len(b.out.Rows) != 1 {
		f.Fatalf("%v", b.found.List)
	}
	return b.out.Rows[0]
}

func FuzzScalar(f *testing.F) {
	text, integer, number, truth := &schema.Schema{Type: "string"}, &schema.Schema{Type: "integer"}, &schema.Schema{Type: "number"}, &schema.Schema{Type: "boolean"}
	either := &schema.Schema{IntOrString: true}
	s := func(spoke, hub *schema.Schema, m v1alpha1.Scalar) plan.Row {
		return mapped(f, spoke, hub, v1alpha1.Row{Scalar: &m})
	}
	unit := func(name string) *v1alpha1.Unit { return &v1alpha1.Unit{Name: name} }
	fuzzMappings(f, []plan.Row{
		s(text, integer, v1alpha1.Scalar{}), s(text, number, v1alpha1.Scalar{}), s(text, truth, v1alpha1.Scalar{}), s(text, either, v1alpha1.Scalar{}),
		s(text, integer, v1alpha1.Scalar{Spoke: v1alpha1.NotationDuration, Unit: unit("s")}),
		s(text, number, v1alpha1.Scalar{Spoke: v1alpha1.NotationDuration, Unit: unit("h")}),
		s(either, integer, v1alpha1.Scalar{Spoke: v1alpha1.NotationQuantity, Unit: unit("Ki")}),
		s(text, number, v1alpha1.Scalar{Spoke: v1alpha1.NotationQuantity, Unit: unit("m")}),
		s(text, number, v1alpha1.Scalar{Spoke: v1alpha1.NotationPercentage, Unit: unit("1")}),
		s(integer, number, v1alpha1.Scalar{Unit: &v1alpha1.Unit{Spoke: "m", Hub: "s"}}),
	}, `0`, `-0`, `1.50`, `9223372036854775807`, `9223372036854775808`, `1e400`, `1e-400`, `"90s"`, `"1m30s"`, `"\u0035m"`, `"0080"`, `"1.5Gi"`, `"500m"`, `"12.5%"`, `"%"`, `""`, `"true"`, `true`, `null`, `[]`, `{}`, `"-"`, `"1e3"`, `0.1`)
}

func FuzzBoolean(f *testing.F) {
	text, truth, object := &schema.Schema{Type: "string"}, &schema.Schema{Type: "boolean"}, &schema.Schema{Type: "object"}
	value := func(json string) *v1alpha1.Value { return &v1alpha1.Value{JSON: []byte(json)} }
	s := func(spoke, hub *schema.Schema, m v1alpha1.Boolean) plan.Row {
		return mapped(f, spoke, hub, v1alpha1.Row{Boolean: &m})
	}
	fuzzMappings(f, []plan.Row{
		s(truth, truth, v1alpha1.Boolean{Negate: true}), s(truth, object, v1alpha1.Boolean{Presence: v1alpha1.HubSide}),
		s(text, truth, v1alpha1.Boolean{Presence: v1alpha1.SpokeSide, True: value(`"yes"`)}), s(text, truth, v1alpha1.Boolean{True: value(`"é"`), False: value(`""`)}),
	}, `true`, `false`, `null`, `{}`, `{"a":1}`, `"yes"`, `"\u00e9"`, `""`, `1`, `[]`)
}

func FuzzJoin(f *testing.F) {
	text, list, numbers := &schema.Schema{Type: "string"}, &schema.Schema{Type: "array", Items: &schema.Schema{Type: "string"}}, &schema.Schema{Type: "array", Items: &schema.Schema{Type: "integer"}}
	s := func(hub *schema.Schema, m v1alpha1.Join) plan.Row {
		return mapped(f, text, hub, v1alpha1.Row{Join: &m})
	}
	fuzzMappings(f, []plan.Row{
		s(list, v1alpha1.Join{Separator: ","}), s(list, v1alpha1.Join{Separator: "||", Prefix: "|", Suffix: "|"}), s(list, v1alpha1.Join{Separator: " ", Trim: true}),
		s(numbers, v1alpha1.Join{Separator: "-"}), s(numbers, v1alpha1.Join{Separator: "0"}),
	}, `""`, `"a,b"`, `","`, `"|a||b|"`, `"|||"`, `[]`, `[""]`, `["a","b"]`, `["a|","|b"]`, `[1,-2]`, `[1.5]`, `[null]`, `[["a"]]`, `"1-2"`, `" a  b "`, `["a\n","\u00e9"]`, `null`, `5`)
}

func FuzzText(f *testing.F) {
	text, truth := &schema.Schema{Type: "string"}, &schema.Schema{Type: "boolean"}
	open := &schema.Schema{Type: "object", Open: true}
	typed := &schema.Schema{Type: "object", Members: map[string]*schema.Schema{
		"x": text, "y": {Type: "integer", Nullable: true}, "l": {Type: "array", Items: truth}, "m": {Type: "object", Values: text},
	}}
	s := func(hub *schema.Schema, m v1alpha1.Format) plan.Row {
		return mapped(f, text, hub, v1alpha1.Row{Text: m})
	}
	fuzzMappings(f, []plan.Row{
		s(open, v1alpha1.FormatJSON), s(open, v1alpha1.FormatYAML), s(typed, v1alpha1.FormatJSON), s(typed, v1alpha1.FormatYAML), s(&schema.Schema{Open: true, Nullable: true}, v1alpha1.FormatYAML),
	}, `"{\"x\":1}"`, `"x: a\ny: 0x10\nl: [yes]\n"`, `"a: &a [*a]"`, `"a: &a {b: 1}\nc: [*a, *a]"`, `"- 1e400"`, `"a\n---\nb"`, `"# c"`, `""`, `{"x":"a","y":null,"m":{"k":"\u0085"}}`, `{"a":[1.50,{"b":null}]}`,
		`"? [a]\n: b"`, `"!!binary YQ=="`, `"<<: {x: b}"`, `"x: \"\\uD800\""`, `{"x":5}`, `[]`, `null`, `"\tx: 1"`, `{"":{}}`, `{"a":"\ufeff"}`)
}
