package cost

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// grower makes values of about a size.
type grower struct {
	*rand.Rand
	size int
}

// repeat joins the results of make for 0, 1, 2 and so on, until they have about size bytes.
func (g grower) repeat(make func(n int) string) string {
	var b strings.Builder
	for n := 0; b.Len() < g.size; n++ {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(make(n))
	}
	return b.String()
}

// growth is a way to grow a field, and its name.
type growth struct {
	name string
	grow func(g grower, s *apiextensionsv1.JSONSchemaProps) string
	// tiny says that elements may be so small that the law Tiny applies.
	tiny bool
}

// growths are the ways to grow a field of each kind.
var growths = map[kind][]growth{
	list:   elements(func(g grower, make func(n int) string) string { return "[" + g.repeat(make) + "]" }),
	dict:   elements(func(g grower, make func(n int) string) string { return "{" + g.repeat(numbered(make)) + "}" }),
	text:   texts(),
	number: {{"many digits", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string { return "0." + strings.Repeat("1", g.size) }, false}},
	open: {
		{"many members", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return "{" + g.repeat(numbered(func(int) string { return "0" })) + "}"
		}, false},
		{"many empty objects", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return "[" + g.repeat(func(int) string { return "{}" }) + "]"
		}, true},
		{"deep lists", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string { return deep(g, "[", "]") }, true},
		{"deep objects", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string { return deep(g, `{"a":`, "}") }, true},
		{"one text", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return `"` + strings.Repeat("a", g.size) + `"`
		}, false},
	},
}

// numbered puts distinct names before values.
func numbered(make func(n int) string) func(n int) string {
	return func(n int) string { return fmt.Sprintf(`"k%d":%s`, n, make(n)) }
}

// deep returns as many containers inside each other as are allowed, and repeats that.
func deep(g grower, before, after string) string {
	const depth = 9000
	one := strings.Repeat(before, depth) + "0" + strings.Repeat(after, depth)
	return "[" + g.repeat(func(int) string { return one }) + "]"
}

// elements returns the ways to grow a list or a map by elements.
func elements(join func(g grower, make func(n int) string) string) []growth {
	inside := func(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
		if s.Items != nil {
			return s.Items.Schema
		}
		return s.AdditionalProperties.Schema
	}
	same := func(text string) func(grower, *apiextensionsv1.JSONSchemaProps) string {
		return func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(int) string { return text })
		}
	}
	return []growth{
		{"empty objects", same("{}"), true},
		{"empty lists", same("[]"), true},
		{"nulls", same("null"), true},
		{"zeros", same("0"), true},
		{"texts of one byte", same(`"a"`), true},
		{"distinct texts", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(n int) string { return fmt.Sprintf(`"%d"`, n) })
		}, false},
		{"smallest elements", func(g grower, s *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(int) string { return smallest(inside(s), false, 1) })
		}, true},
		{"distinct elements", func(g grower, s *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(n int) string { return smallest(inside(s), false, n) })
		}, true},
		{"whole elements", func(g grower, s *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(int) string { return smallest(inside(s), true, 1) })
		}, false},
		{"distinct whole elements", func(g grower, s *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(n int) string { return smallest(inside(s), true, n) })
		}, false},
		{"elements of one member", func(g grower, s *apiextensionsv1.JSONSchemaProps) string {
			members := []string{"{}"}
			if of := inside(s); of != nil {
				for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
					p := of.Properties[name]
					members = append(members, fmt.Sprintf(`{%q:%s}`, name, smallest(&p, false, g.IntN(5))), fmt.Sprintf(`{%q:%s}`, name, smallest(&p, true, g.IntN(5))))
				}
			}
			one := members[g.IntN(len(members))]
			return join(g, func(int) string { return one })
		}, false},
		{"elements of distinct members", func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return join(g, func(n int) string { return fmt.Sprintf(`{"k%d":0}`, n) })
		}, false},
	}
}

// texts returns the ways to grow a text, with characters that mappings search for.
func texts() []growth {
	var all []growth
	for name, pattern := range map[string]string{
		"letters": "a", "colons": ":", "commas": ",", "commas and letters": "a,", "digits": "1", "dots": ".", "slashes": "/", "blanks": " ",
		"quotes": `\"`, "escapes": `\u0000`, "tags": "<", "runes": "é", "lines": `- a\n`, "open brackets": "[", "open braces": `{\"a\":`,
		"hours": "1h1m1s", "minus": "-",
	} {
		all = append(all, growth{"a text of " + name, func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			return `"` + strings.Repeat(pattern, g.size/len(pattern)) + `"`
		}, false})
	}
	for name, pattern := range map[string]string{
		"members in JSON": `{%s\"z\":0}|\"k%d\":0,`, "members in YAML": `%s|k%d: 0\n`, "merges in YAML": `a: {%s}|<<: {k%d: 0}, `,
		"anchors in YAML": `%s|k%[1]d: &a%[1]d {<<: {x%[1]d: 0}}\n`, "numbered texts": `%s|a%d,`,
	} {
		around, one, _ := strings.Cut(pattern, "|")
		all = append(all, growth{"a text of " + name, func(g grower, _ *apiextensionsv1.JSONSchemaProps) string {
			var b strings.Builder
			for n := 0; b.Len() < g.size; n++ {
				fmt.Fprintf(&b, one, n)
			}
			return `"` + fmt.Sprintf(around, b.String()) + `"`
		}, false})
	}
	slices.SortFunc(all, func(a, b growth) int { return strings.Compare(a.name, b.name) })
	return all
}
