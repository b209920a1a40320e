package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // number@line:text
	}{
		{"nothing", "", nil},
		{"one document", "a: 1\n", []string{"1@1:a: 1\n"}},
		{"a comment first", "# licence\n---\na: 1\n", []string{"0@1:# licence\n", "1@2:\na: 1\n"}},
		{"two documents", "a: 1\n---\nb: 2\n", []string{"1@1:a: 1\n", "2@2:\nb: 2\n"}},
		{"an end mark", "a: 1\n...\n---\nb: 2", []string{"1@1:a: 1\n", "0@2:\n", "2@3:\nb: 2"}},
		{"content on the mark's line", "--- {a: 1}\n--- # c\nb: 2\n", []string{"1@1: {a: 1}\n", "2@2: # c\nb: 2\n"}},
		{"no mark inside a line", "a: |\n  ---\n  x\nb: ----\n", []string{"1@1:a: |\n  ---\n  x\nb: ----\n"}},
		{"windows", "a: 1\r\n---\r\nb: 2\r\n", []string{"1@1:a: 1\r\n", "2@2:\r\nb: 2\r\n"}},
		{"a byte order mark", "\xef\xbb\xbfa: 1\n", []string{"1@1:a: 1\n"}},
		{"JSON", `{"a":1}`, []string{`1@1:{"a":1}`}},
		{"YAML in flow style", "{a: 1}\n", []string{"1@1:{a: 1}\n"}},
		{"a list of it", "[a, {b: 2}]", []string{"1@1:[a, {b: 2}]"}},
		{"YAML that is nearly JSON", `{"a": 1, "b": [2,],}`, []string{`1@1:{"a": 1, "b": [2,],}`}},
		{"flow style, then block style", "{a: 1}\n---\nb: 2\n", []string{"1@1:{a: 1}\n", "2@2:\nb: 2\n"}},
		{"JSON, then YAML", "{\"a\": 1}\n---\nb: 2\n", []string{"1@1:{\"a\": 1}\n", "2@2:\nb: 2\n"}},
		{"JSON concatenated", "{\"a\":1}{\"b\":\n2}\n\n {}\n", []string{`1@1:{"a":1}`, "2@1:{\"b\":\n2}", "3@4:{}", "0@4:\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			docs, err := Split([]byte(test.text), Detect([]byte(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, doc := range docs {
				got = append(got, fmt.Sprintf("%d@%d:%s", doc.Number, doc.Line, doc.Text))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestSplitJSONSaysWhereItBreaksOff(t *testing.T) {
	docs, err := Split([]byte("{\"a\":1}\n{\"b\":\n nope}\n{}"), JSON)
	want := "line 3: not JSON: invalid character 'o' in literal null (expecting 'u'); stopped reading at line 2"
	if len(docs) != 1 || err == nil || err.Error() != want {
		t.Errorf("got %d documents and %v\nwant 1 and %s", len(docs), err, want)
	}
	_, err = Split([]byte("{\"b\":"), JSON)
	if err == nil || !strings.Contains(err.Error(), "line 1: not JSON: unexpected EOF") {
		t.Errorf("got %v", err)
	}
}

// FuzzSplit holds the promise that Before and Text are the stream.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"a\n---\nb\n", "--- x\n...\n", "{}{} []\n", "\xef\xbb\xbf{}", "\xef\xbb\xbf---\n", "---", "[1]\n---\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		docs, err := Split(data, Detect(data))
		var joined []byte
		for _, doc := range docs {
			if want := lineAt(data, len(joined)+len(doc.Before)); doc.Line != want {
				t.Errorf("document %d: line %d, want %d", doc.Number, doc.Line, want)
			}
			joined = append(append(joined, doc.Before...), doc.Text...)
		}
		if err == nil && !bytes.Equal(joined, data) || !bytes.HasPrefix(data, joined) {
			t.Errorf("got %q from %q (%v)", joined, data, err)
		}
	})
}
