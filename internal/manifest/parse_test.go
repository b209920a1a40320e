package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	kubeyaml "sigs.k8s.io/yaml"
)

func parse(t *testing.T, text string) *Node {
	t.Helper()
	node, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, Detect([]byte(text)))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return node
}

// What kubectl makes of a scalar is what we make of it.
func TestPlainScalarsAsKubectlReadsThem(t *testing.T) {
	scalars := strings.Fields(`null ~ Null true True yes y Y on off n No false FALSE
		0 7 -7 +7 0777 0o777 0x1F 0b101 -0b11 1_000 1_000_000.5 9223372036854775807
		9223372036854775808 18446744073709551615 18446744073709551616 1.5 -1.5 +1.5 1.50 .5 -.5 5. 1e3 1E3 1e-3 1.0e+3
		012.5 08 1:30 12:30:45 2024-01-02 2024-01-02T03:04:05Z 1.2.3 - -- + . .. .5.5 e3 1e 0x 0xZZ 1__0 _1 ._5 1._5
		hello 5m 10Gi v1 Infinity NaN inf 0x1p-2 1_ -_1 +.5 -5. 1d !x`)
	for _, scalar := range scalars {
		text := "a: " + scalar + "\n"
		if scalar == "-" || scalar == "--" {
			text = "a: [" + scalar + "x]\n"
		}
		want, err := kubeyaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Errorf("%s: the oracle: %v", scalar, err)
			continue
		}
		node, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, YAML)
		if err != nil {
			t.Errorf("%s: %v", scalar, err)
			continue
		}
		if got := node.AppendJSON(nil); !sameJSON(t, got, want) {
			t.Errorf("%s: got %s, kubectl reads %s", scalar, got, want)
		}
	}
}

// sameJSON compares as the oracle sees it: with numbers as float64, and without
// the sign of a zero, which we keep. What float64 cannot hold is not compared.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var canonical [2][]byte
	for i, text := range [][]byte{a, b} {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			var tooLarge *json.UnmarshalTypeError
			if errors.As(err, &tooLarge) {
				return true
			}
			t.Fatalf("%s: %v", text, err)
		}
		canonical[i], _ = json.Marshal(value)
	}
	return bytes.Equal(unsigned(canonical[0]), unsigned(canonical[1]))
}

func unsigned(text []byte) []byte { return bytes.ReplaceAll(text, []byte("-0"), []byte("0")) }

func TestParseKeepsWhatFloat64WouldLose(t *testing.T) {
	tests := map[string]string{
		"a: 9007199254740993":           `{"a":9007199254740993}`,
		"a: 1.50":                       `{"a":1.50}`,
		"a: -0":                         `{"a":-0}`,
		"a: 123456789012345678901234.5": `{"a":123456789012345678901234.5}`,
		"b: 1\na: 2\n":                  `{"b":1,"a":2}`,
		`{"z": 1e3, "a": [1.0, -0]}`:    `{"z":1e3,"a":[1.0,-0]}`,
		`{"a": "\ud83d\ude00\/<>&"}`:    `{"a":"😀/<>&"}`,
	}
	for text, want := range tests {
		if got := string(parse(t, text).AppendJSON(nil)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestParseAliasesAndMerges(t *testing.T) {
	text := `
base: &base {a: 1, b: 2}
more: &more {b: 3, c: 4}
one: *base
two: {b: 9, <<: *base}
all: {<<: [*base, *more], d: 5}
1: int
1.5: float
09: float, because 9 is no octal digit
0x10: int
true: bool
tagged: !!str 5
custom: !mine 5
`
	want := `{"base":{"a":1,"b":2},"more":{"b":3,"c":4},"one":{"a":1,"b":2},"two":{"b":9,"a":1},` +
		`"all":{"d":5,"a":1,"b":2,"c":4},"1":"int","1.5":"float","9":"float, because 9 is no octal digit","16":"int","true":"bool","tagged":"5","custom":"5"}`
	if got := string(parse(t, text).AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParseErrorsNameTheLine(t *testing.T) {
	tests := map[string]string{
		"a: 1\nb: 2\na: 3\n":          `line 12: key "a" occurs twice, first on line 10`,
		"a: .inf\n":                   `line 10: JSON can't represent the number .inf`,
		"a: !!int x\n":                `line 10: "x" is not a number, as its tag says`,
		"a: !!binary aGk=\n":          `line 10: JSON has no binary values: write the base64 text as a string`,
		"? [a]\n: b\n":                `line 10: a key must be a string, not a list`,
		"? null\n: b\n":               `line 10: a key must be a string, not null`,
		"a: b\n  c: d\n":              `line 11: not YAML: mapping values are not allowed in this context`,
		"a: &x 1\nb: {<<: *x}\n":      `line 11: a merge key (<<) needs a map or a list of maps`,
		"{\"a\": 1,\n\"a\": 2}":       `line 11: key "a" occurs twice`,
		"a: 1\nb: {c: x.?y}\n":        `line 11: not YAML: did not find expected ',' or '}'; close every { and [; within them, put a value in double quotes if it has a comma, ?, {, }, [ or ], or text after a quote: "self.spec.?a"`,
		"a: 1\nb: {c: .x.y[0]}\n":     `line 11: not YAML: did not find expected ',' or '}'; a path can't have the number of an element; use each for the elements of a list`,
		"a: 1\nb: {\n  c: 'x' + y}\n": `line 11: not YAML: did not find expected ',' or '}'; close every`,
		"a: 1\nb: 'x' + y\n":          `line 11: not YAML: did not find expected key; a value that begins with a quote, { or [ ends with the closing one; if it goes on, put the whole value in double quotes: "'a' + self.b"`,
		"a: 1\nb: x ? 'y' : z\n":      `line 11: not YAML: mapping values are not allowed in this context; put a value with a colon and a space in double quotes: "self.a ? 'b' : 'c'"`,
		"a: 1\nb: {c: !has(x)}\n":     `line 11: not YAML: did not find expected whitespace or line break; put a value that begins with ! in double quotes: "!has(self.a)"`,
		"a: 1\nb: [\n\n":              `line 11: not YAML: did not find expected node content`,
		"a: 1\n\tb: 2\n":              `line 11: not YAML: found a tab character that violates indentation; indent with spaces, not with tabs`,
		"{a: 1}\nb: 2\n":              `line 11: not YAML: did not find expected <document start>; the document ends before this line, where its first { or [ or quote is closed; put a line --- before another document`,
		"\ta: 1\n":                    `line 10: not YAML: found character that cannot start any token; indent with spaces, not with tabs`,
		"a: *nothing\n":               `line 10: not YAML: unknown anchor 'nothing' referenced`,
		"\x00":                        `line 10: not YAML: control characters are not allowed`,
		bomb():                        `the document has more than 4194304 values after its aliases are expanded`,
		"a: &a {b: *a}":               `line 10: the anchor a contains itself`,
		"a: &a [{<<: *a}]":            `line 10: the anchor a contains itself`,
		"{\"a\": [1,\n {\"b\": ]\n]}": `line 11: not JSON: `,
	}
	for text, want := range tests {
		_, err := Parse(Document{Number: 1, Line: 10, Text: []byte(text)}, Detect([]byte(text)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 9; i++ {
		p, c := string(rune('0'+i-1)), string(rune('0'+i))
		b.WriteString("a" + c + ": &a" + c + " [" + strings.TrimSuffix(strings.Repeat("*a"+p+",", 10), ",") + "]\n")
	}
	return b.String()
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "a: [1, yes, 0x1F]\n", "- a\n- {b: c}\n", "a: |\n  x\n  y\n", "&a a: *a\n", "a: 'x'\n# c\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		node, err := Parse(Document{Number: 1, Line: 1, Text: text}, YAML)
		if err != nil || node == nil {
			return
		}
		got := node.AppendJSON(nil)
		if !json.Valid(got) {
			t.Fatalf("not JSON: %s", got)
		}
		// Where the oracle reads it at all, it reads the same.
		want, err := kubeyaml.YAMLToJSONStrict(text)
		if err == nil && !bytes.Contains(text, []byte("<<")) && !bytes.Contains(text, []byte("!")) && !sameJSON(t, got, want) {
			t.Errorf("%q: got %s, kubectl reads %s", text, got, want)
		}
	})
}
