package manifest

import "testing"

// TestParseMergesInMerges: the order is as if each merge made a map of its own: a map's own
// members first, then what each of its merges brings, the nearest first.
func TestParseMergesInMerges(t *testing.T) {
	for text, want := range map[string]string{
		"a: &a {u: 1, v: 1}\nb: &b {<<: *a, v: 2, w: 2}\nc: {<<: *b, w: 3}": `{"a":{"u":1,"v":1},"b":{"v":2,"w":2,"u":1},"c":{"w":3,"v":2,"u":1}}`,
		"e: {<<: [{<<: {a: 1, b: 1}, b: 2}, {c: 3, a: 3}], d: 4}":           `{"e":{"d":4,"b":2,"a":1,"c":3}}`,
		"e: {<<: {<<: [{a: 1}, {a: 2, b: 2}]}, <<: {b: 3, c: 3}}":           `{"e":{"a":1,"b":2,"c":3}}`,
		"m: &m {a: 1}\nl: &l [*m, {b: 2}]\nk: {<<: *l}":                     `{"m":{"a":1},"l":[{"a":1},{"b":2}],"k":{"a":1,"b":2}}`,
	} {
		if got := string(parse(t, text).AppendJSON(nil)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"{<<: {<<: {a: 1, a: 2}}}": `line 1: key "a" occurs twice, first on line 1`,
		"{<<: {<<: 1}}":            `line 1: a merge key (<<) needs a map or a list of maps`,
		"{<<: [[a: 1]]}":           `line 1: a merge key (<<) needs a map or a list of maps`,
		"a: &a {<<: {<<: *a}}":     `line 1: the anchor a contains itself`,
	} {
		_, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, YAML)
		if err == nil || err.Error() != want {
			t.Errorf("%.40q:\n got %v\nwant %s", text, err, want)
		}
	}
}
