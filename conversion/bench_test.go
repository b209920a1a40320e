package conversion_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// benchmarks are what a conversion costs by what its rows do. Those without a
// mapping say what the language costs whoever does not use it.
func benchmarks(b *testing.B) map[string]struct {
	converter *conversion.Converter
	object    string
} {
	items := func(element string) string {
		var out []string
		for i := range 20 {
			out = append(out, fmt.Sprintf(element, i))
		}
		return strings.Join(out, ",")
	}
	type subject = struct {
		converter *conversion.Converter
		object    string
	}
	return map[string]subject{
		"copy": {compiled(b, spec("a: {type: string}, l: {type: array, items: {type: string}}"), spec("a: {type: string}, l: {type: array, items: {type: string}}"), `[]`),
			thing("v1beta1", `"spec":{"a":"x","l":[`+items(`"text %d"`)+`]}`)},
		"move": {compiled(b, spec("a: {type: string}, b: {type: integer}"), spec("c: {type: string}, o: {type: object, properties: {d: {type: integer}}}"),
			`[{spoke: .spec.a, hub: .spec.c}, {spoke: .spec.b, hub: .spec.o.d}]`), thing("v1beta1", `"spec":{"a":"x","b":5}`)},
		"template": {compiled(b, spec("a: {type: string}"), spec("h: {type: string}, p: {type: integer}"),
			`[{spoke: .spec.a, hub: {h: .spec.h, p: .spec.p}, template: "{h}:{p}"}]`), thing("v1beta1", `"spec":{"a":"example.com:8080"}`)},
		"values": {compiled(b, spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel, Forbid: Single}}]`),
			thing("v1beta1", `"spec":{"a":"Forbid"}`)},
		"each": {compiled(b, spec("l: {type: array, items: {type: object, properties: {name: {type: string}, a: {type: string}}}}"),
			spec("l: {type: array, items: {type: object, properties: {name: {type: string}, b: {type: string}}}}"),
			`[{spoke: .spec.l, hub: .spec.l, each: {key: name, unique: true, rows: [{spoke: .a, hub: .b}]}}]`),
			thing("v1beta1", `"spec":{"l":[`+items(`{"name":"n%d","a":"x"}`)+`]}`)},
		"cel": {compiled(b, spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b, cel: {toHub: "int(self.spec.a)", toSpoke: "string(self.spec.b)"}}]`),
			thing("v1beta1", `"spec":{"a":"5"}`)},
		"kept": {compiled(b, spec("l: {type: array, items: {type: object, properties: {name: {type: string}, a: {type: string}}}}"),
			spec("l: {type: array, items: {type: object, properties: {name: {type: string}}}}"), `[]`),
			thing("v1beta1", `"spec":{"l":[`+items(`{"name":"n%d","a":"x"}`)+`]}`)},
	}
}

func BenchmarkConvert(b *testing.B) {
	for name, s := range benchmarks(b) {
		b.Run(name, func(b *testing.B) {
			object := []byte(s.object)
			var out []byte
			b.SetBytes(int64(len(object)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = s.converter.Convert(out[:0], object, "v1"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
