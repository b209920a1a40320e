package stash

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzRead reads any text as a stash. A naive reader understands the same of it;
// what was read is written so that the same is read again, and in one way only.
func FuzzRead(f *testing.F) {
	for _, entries := range []string{
		``, `{"at":["spec","a"],"value":"x"}`, `{"at":["spec","a"],"guard":"AAAAAAAAAAAAAAAA"},{"at":[""],"value":null}`,
		`{"at":["l",{"key":{"name":"a"},"in":"p","of":2},{"content":"x","nth":1,"of":3,"live":"y0","alike":1,"alikeOf":2,"full":"z","fullNth":1},{"part":"p"},{"key":1},"é\n"],"value":{"a":[1.50, null]}}`,
		`{"at":["l"],"order":["a",{"key":{"k":1}},{"content":"x","nth":0},{"value":null},{"part":"p","step":{"key":{"k":2}}},{"part":"","step":""}]}`,
		`{"at":["l"],"order":[{"rank":2,"step":"a"},{"double":true,"value":1},{"rank":1,"step":{"key":1}}]}`, `{"at":["l"],"order":[{"rank":0,"step":"a"}]}`,
		`{"at":["l"],"order":[{"double":false,"value":1}]}`, `{"at":["l"],"order":[{"double":true,"step":"a"}]}`, `{"at":["l"],"order":[{"rank":1,"part":"p","step":"a"}]}`,
		`{"at":["l"],"order":[]}`, `{"at":["l"],"order":[],"value":1}`, `{"at":[]}`, `{"at":["a"],"at":["b"]}`, `{"at":["a"],"v":1}`, `{"at":[{}]}`,
		`{"at":[{"key":1,"nth":1}]}`, `{"at":[{"key":1,"of":2}]}`, `{"at":[{"key":1,"in":"p","of":1}]}`, `{"at":[{"part":"p","of":2}]}`, `{"at":[{"key":1,"in":2}]}`, `{"at":[{"part":"p","in":"p"}]}`, `{"at":[{"content":"","nth":0,"in":"p"}]}`, `{"at":[{"content":"","nth":-1}]}`, `{"at":[{"content":"","nth":1e2}]}`, `{"at":["a"],"order":[{"value":1,"part":"p"}]}`,
		`{"at":["a"],"order":[{"part":"p","step":{"part":"q"}}]}`, `{"at":["a"],"order":[{"key":1,"value":2}]}`, `{"at":["a"],"value":[-1e400]},{"at":["b"],"order":[{"value":{"1e400":1e-400}}]},{"at":["c"],"order":["x",{"value":1E+999}]}`,
	} {
		f.Add([]byte(`{"format":1,"entries":[` + entries + `]}`))
		f.Add([]byte(" {\"\\u0066ormat\" : 1,\"table\":\"Xw3k9QzP\",\n\"entries\":[" + entries + "],\"more\":{}}"))
	}
	for _, text := range []string{``, `null`, `[]`, `{"format":1}`, `{"format":1.0,"entries":[]}`, `{"format":2,"entries":[]}`, `{"format":1,"entries":{}}`, `{"format":1,"entries":[],"table":1}`, `{"format":1,"entries":[]}x`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		entries, table, err := Read([]Entry{{}}, text)
		if !bytes.Equal(text, before) {
			t.Fatal("the text was changed")
		}
		if len(entries) == 0 || !reflect.DeepEqual(entries[0], Entry{}) || err != nil && (len(entries) > 1 || table != "") {
			t.Fatalf("%d entries of table %q beside %v", len(entries), table, err)
		}
		entries = entries[1:]
		var scan jsontext.Scanner
		scan.Reset(text)
		if _, notJSON := scan.Document(); notJSON == nil {
			want, wantTable, wantErr := naive(text)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%v, and the naive reader says %v", err, wantErr)
			}
			if err == nil && (table != wantTable || len(entries) != len(want) || len(want) > 0 && !reflect.DeepEqual(entries, want)) {
				t.Fatalf("table %q, want %q\n%+v\n%+v", table, wantTable, entries, want)
			}
		} else if err == nil && len(text) < jsontext.MaxDepth {
			t.Fatalf("a stash, though no JSON: %v", notJSON)
		}
		if err != nil {
			return
		}
		written := write(t, entries, table)
		again, mark, err := Read(nil, written)
		if err != nil || mark != table || len(again) != len(entries) || len(again) > 0 && !reflect.DeepEqual(again, entries) {
			t.Fatalf("written as %s\nit reads as %+v of %q, %v", written, again, mark, err)
		}
	})
}

// write writes a stash, and holds the writer to what it says of its size.
func write(t *testing.T, entries []Entry, table string) []byte {
	w := Writer{Table: table}
	for _, e := range entries {
		w.Add(e)
	}
	text := w.Text()
	if size := w.Size(); w.Empty() != (len(entries) == 0) || !w.Empty() && size < len(text) {
		t.Fatalf("%d bytes, and it says %d: %s", len(text), size, text)
	}
	return text
}
