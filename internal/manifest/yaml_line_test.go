package manifest

import "testing"

// TestPinpoint finds the lines of mistakes for which the library names where the list or
// map begins that they are in.
func TestPinpoint(t *testing.T) {
	const quotes = `a value that begins with a quote, { or [ ends with the closing one; if it goes on, put the whole value in double quotes: "'a' + self.b"`
	for text, want := range map[string]string{
		"a: 1\nb:\n  c:\n  - d: 1\n  - d: 2\n\n # x\n - d: 3\n  - d: 4\n": `line 17: not YAML: did not find expected key; the line is indented by 1; indent it like its neighbours`,
		"a: 1\nb:\n    c: 1\n    d: 2\n  e: 3\nf: 4\n":                    `line 14: not YAML: did not find expected key; the line is indented by 2; indent it like its neighbours`,
		"a: 1\nb:\n- c: 1\n  d: 2\n e: 3\n":                               `line 14: not YAML: did not find expected key; the line is indented by 1; indent it like its neighbours`,
		"a: 1\nb:\n  c: 1\n  d: 2\n  e: 'x' + y\nf: 4\n":                  `line 14: not YAML: did not find expected key; ` + quotes,
		"a: 1\nb:\n  - c\n  d: 2\n":                                       `line 13: not YAML: did not find expected '-' indicator; the line is between the elements of a list, but has no dash; indent it like its neighbours`,
		"a: 1\nb:\n- c: 'x' + y\n- d: 2\n":                                `line 12: not YAML: did not find expected key; ` + quotes,
		"a: 1\nb: {c: x.?y}\n":                                            `line 11: not YAML: did not find expected ',' or '}'; close every { and [; within them, put a value in double quotes if it has a comma, ?, {, }, [ or ], or text after a quote: "self.spec.?a"`,
	} {
		doc := Document{Number: 1, Line: 10, Text: []byte(text)}
		_, err := Parse(doc, YAML)
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		if got := Pinpoint(doc, err).Error(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}
