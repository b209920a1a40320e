package manifest

import (
	"bytes"
	"testing"

	kubeyaml "sigs.k8s.io/yaml"
)

func TestAppendYAML(t *testing.T) {
	json := `{"apiVersion":"v1","spec":{"n":1.50,"big":9007199254740993,"on":"yes","port":"8080","empty":{},"none":[],` +
		`"nil":null,"list":[1,{"a":"b","c":[true]}],"script":"a\nb\n","tricky":" lead\n","time":"2024-01-02"}}`
	want := `apiVersion: v1
spec:
  "n": 1.50
  big: 9007199254740993
  "on": "yes"
  port: "8080"
  empty: {}
  none: []
  nil: null
  list:
  - 1
  - a: b
    c:
    - true
  script: |
    a
    b
  tricky: " lead\n"
  time: "2024-01-02"
`
	got, err := parse(t, json).AppendYAML(nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What YAML 1.1 gives a type to is quoted, for readers such as PyYAML.
func TestAppendYAMLQuotes(t *testing.T) {
	for _, text := range []string{"=", "<<", "2024-1-2", "2001-12-14 21:59:43.10 -5", "1:20", "1:20:30.5", "1_.5", "1_0", ".5"} {
		for json, want := range map[string]string{
			`{"matchType":"` + text + `"}`: `matchType: "` + text + "\"\n",
			`{"` + text + `":"x"}`:         `"` + text + "\": x\n",
		} {
			got, err := parse(t, json).AppendYAML(nil)
			if err != nil || string(got) != want {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		}
	}
	for _, text := range []string{"==", "=~", "<", "1-2", "1.2.3", "v1", "10.0.0.1", "a:1", "2024-01"} {
		got, err := parse(t, `{"a":"`+text+`"}`).AppendYAML(nil)
		if want := "a: " + text + "\n"; err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// FuzzYAMLRoundTrip writes any JSON as YAML and reads it back, ourselves and as
// kubectl does.
func FuzzYAMLRoundTrip(f *testing.F) {
	for _, seed := range []string{
		`{"a":"\n"}`, `{"a":" \n x"}`, `{"<<":1,"y":"n","~":"","":null}`, `[[],{},[{}],"a: b","# c","- d","?","|",">","%x","@a","'\"'"]`,
		`{"a":"\u0085\u2028\ufeff\u0000\u007f\t\r\n","0x1":"1_0","1e3":1e400}`, `"---"`, `{"a":"x\n---\ny\n"}`, `{"a":"trailing \n"}`,
		`{"a":"x\n\n\n"}`, `{"a":"\tx\ny"}`, `{"multi\nline":1}`, `["...","--- a"]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		node, err := Parse(Document{Number: 1, Line: 1, Text: text}, JSON)
		if err != nil || node == nil {
			return
		}
		want := node.AppendJSON(nil)
		written, err := node.AppendYAML(nil)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		docs, err := Split(written, YAML)
		if err != nil || len(docs) != 1 {
			t.Fatalf("%s: written as %d documents (%v):\n%s", want, len(docs), err, written)
		}
		back, err := Parse(docs[0], YAML)
		if err != nil {
			t.Fatalf("%s: cannot be read back: %v\n%s", want, err, written)
		}
		if got := back.AppendJSON(nil); !bytes.Equal(got, want) {
			t.Fatalf("got %s, want %s from\n%s", got, want, written)
		}
		if oracle, err := kubeyaml.YAMLToJSON(written); err == nil && !bytes.Contains(want, []byte("e")) && !bytes.Contains(want, []byte("E")) && !sameJSON(t, oracle, want) {
			t.Fatalf("kubectl reads %s, want %s from\n%s", oracle, want, written)
		}
	})
}
