package cost

import "strings"

// mappings returns families for rows of each mapping, with long texts, long lists and large maps.
func mappings() ([]Family, error) {
	const (
		words   = "{type: array, items: {type: string}}"
		objects = "{type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, more: {type: string}}}}"
		strange = "{type: array, items: {type: object, properties: {type: {type: string}, weight: {type: integer}}}}"
	)
	var all []Family
	for _, m := range []struct {
		name, beta, v1, rows string
		// to is usually v1. before, one and after make the members of an object.
		to, before, one, after string
		size                   int
		law                    Law
	}{
		{"cel: a list in a list", "a: " + words, "b: " + words,
			`{spoke: .spec.a, hub: .spec.b, cel: {toHub: "self.spec.a.filter(x, self.spec.a.exists(y, y == x))", toSpoke: self.spec.b}}`,
			"v1", `"spec":{"a":[`, `"%d"`, "]}", 11_000, Computed()},
		{"cel: a split text", "a: {type: string}", "b: " + words, `{spoke: .spec.a, hub: .spec.b, cel: {toHub: "self.spec.a.split('-')", toSpoke: "self.spec.b.join('-')"}}`,
			"v1", `"spec":{"a":"`, `%d-`, `"}`, 640_000, Computed()},
		{"join: a list", "a: " + words, "b: {type: string}", `{spoke: .spec.a, hub: .spec.b, join: {separator: "-"}}`,
			"v1", `"spec":{"a":[`, `"%d"`, "]}", 640_000, Computed()},
		{"join: a text", "a: " + words, "b: {type: string}", `{spoke: .spec.a, hub: .spec.b, join: {separator: "-"}}`,
			"v1beta1", `"spec":{"b":"`, `%d-`, `"}`, 640_000, Computed()},
		{"template: a text of separators", "a: {type: string}", "b: {type: string}, c: {type: string}, d: {type: string}",
			`{spoke: .spec.a, hub: {b: .spec.b, c: .spec.c, d: .spec.d}, template: "{b}:{c}/{d}"}`,
			"v1", `"spec":{"a":"`, `a:`, `"}`, 640_000, Ordinary()},
		{"single: a long list", "a: {type: string}", "b: " + words, `{spoke: .spec.a, hub: .spec.b, single: {}}`,
			"v1beta1", `"spec":{"b":[`, `"%d"`, "]}", 640_000, Ordinary()},
		{"wrap: a list of texts", "a: " + words, "b: " + objects, `{spoke: .spec.a, hub: .spec.b, wrap: name}`,
			"v1", `"spec":{"a":[`, `"%d"`, "]}", 640_000, Ordinary()},
		{"wrap: a list of objects", "a: " + words, "b: " + objects, `{spoke: .spec.a, hub: .spec.b, wrap: name}`,
			"v1beta1", `"spec":{"b":[`, `{"name":"a","more":"%d"}`, "]}", 640_000, Ordinary()},
		{"entries: a list of objects", "a: {type: string}, c: {type: string}", "b: " + objects, `{spoke: {a: .spec.a, c: .spec.c}, hub: .spec.b, entries: {name: name, value: value}}`,
			"v1beta1", `"spec":{"b":[`, `{"name":"a","value":"%d"}`, "]}", 640_000, Ordinary()},
		{"where: a list of two parts", "p: " + strange + ", q: " + strange, "b: " + strange,
			`{spoke: {p: .spec.p, q: .spec.q}, hub: .spec.b, where: [{place: p, match: {.type: P}, rows: [{spoke: .weight, hub: .weight}]}, {place: q, match: {.type: Q}, rows: [{spoke: .weight, hub: .weight}]}]}`,
			"v1beta1", `"spec":{"b":[`, `{"type":"P","weight":%[1]d},{"type":"Q","weight":%[1]d},{"type":"R"}`, "]}", 640_000, Ordinary()},
		{"where: parts put together", "p: " + strange + ", q: " + strange, "b: " + strange,
			`{spoke: {p: .spec.p, q: .spec.q}, hub: .spec.b, where: [{place: p, match: {.type: P}, rows: [{spoke: .weight, hub: .weight}]}, {place: q, match: {.type: Q}, rows: [{spoke: .weight, hub: .weight}]}]}`,
			"v1", `"spec":{"p":[`, `{"weight":%d}`, "]}", 640_000, Ordinary()},
		{"values: a list of texts", "a: " + objects, "b: " + objects, `{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .name, hub: .value, values: {x: b, z: b}, inverse: {b: x}}]}}`,
			"v1", `"spec":{"a":[`, `{"name":"z"}`, "]}", 640_000, Ordinary()},
		{"scalar: a list of quantities", "a: " + objects, "b: {type: array, items: {type: object, properties: {count: {type: integer}}}}",
			`{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .name, hub: .count, scalar: {spoke: quantity, hub: integer}}]}}`,
			"v1", `"spec":{"a":[`, `{"name":"%dk"}`, "]}", 640_000, Ordinary()},
		{"each: lists in lists without keys", "a: {type: array, items: {type: object, properties: {v: {type: string}, l: " + objects + "}}}", "b: {type: array, items: {type: object, properties: {w: {type: string}, m: " + strings.Replace(objects, "more", "rest", 1) + "}}}",
			`{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .v, hub: .w}, {spoke: .l, hub: .m, each: {rows: []}}]}}`,
			"v1", `"spec":{"a":[`, `{"v":"%[1]d","l":[{"name":"a","more":"b"},{"name":"a","more":"c"}]}`, "]}", 640_000, Ordinary()},
		{"each: a wide map", "a: {type: object, additionalProperties: {type: object, properties: {v: {type: string}, p: {type: string}}}}", "b: {type: object, additionalProperties: {type: object, properties: {w: {type: string}}}}",
			`{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .v, hub: .w}]}}`,
			"v1", `"spec":{"a":{`, `"k%[1]d":{"v":"a","p":"b"}`, "}}", 640_000, Ordinary()},
		{"variant: a list of unions", "a: {type: array, items: {type: object, properties: {http: {type: object, properties: {p: {type: string}}}, tcp: {type: object, properties: {p: {type: string}}}}}}",
			"b: {type: array, items: {type: object, properties: {type: {type: string}, http: {type: object, properties: {p: {type: string}}}, tcp: {type: object, properties: {p: {type: string}}}}}}",
			`{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: {HTTP: .http, TCP: .tcp}, hub: .type, variant: {}}]}}`,
			"v1", `"spec":{"a":[`, `{"http":{"p":"a"},"tcp":{"p":"%d"}}`, "]}", 640_000, Ordinary()},
	} {
		s, err := written(m.name, m.beta, m.v1, "["+m.rows+"]")
		if err != nil {
			return nil, err
		}
		from := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[m.to]
		all = append(all, Family{Name: m.name, Converter: s, To: m.to, Size: m.size, Law: m.law,
			Object: func(size int) []byte {
				separator := ","
				if strings.HasPrefix(m.after, `"`) { // inside a text
					separator = ""
				}
				return s.object(from, m.before+again(m.one, separator, size)+m.after, nil)
			}})
	}
	return all, nil
}
