package main

import (
	"slices"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	got := rows("kind: CronTab\nhostPort: a:1\nimage: i\nshell: sh\n", "kind: CronTab\nhost: a\nimage: i\nport: 1\nreplicas: 2\n")
	want := []row{
		{"kind: CronTab", "kind: CronTab", same},
		{"hostPort: a:1", "host: a", changed},
		{"image: i", "image: i", same},
		{"shell: sh", "port: 1", changed},
		{"", "replicas: 2", rightOnly},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := rows("a\nb\n", "b\n"); !slices.Equal(got, []row{{"a", "", leftOnly}, {"b", "b", same}}) {
		t.Errorf("got %q", got)
	}
}

// TestBeside shows two texts in columns that are as wide as they need be, and wraps
// what is longer.
func TestBeside(t *testing.T) {
	var out strings.Builder
	screen{out: &out, width: 27}.beside("before", "after", "a: 1\nlong: 0123456789\n", "a: 2\nlong: 0123456789\n")
	const want = `before         after
a: 1         | a: 2
long: 012345   long: 012345
6789           6789
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}

	out.Reset()
	screen{out: &out, width: 100}.beside("before", "after", "a: 1\n", "a: 2\nb: 3\n")
	if want := "before   after\na: 1   | a: 2\n       > b: 3\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}

	out.Reset()
	screen{out: &out, width: 100, colours: true}.beside("before", "after", "a: 1\nc: 2\n", "c: 2\nb: 3\n")
	if want := "\x1b[2mbefore\x1b[0m   \x1b[2mafter\x1b[0m\n\x1b[31ma: 1  \x1b[0m <\nc: 2     c: 2\n       > \x1b[32mb: 3\x1b[0m\n"; out.String() != want {
		t.Errorf("got\n%q\nwant\n%q", out.String(), want)
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"get": "get", "--type=merge": "--type=merge", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "jsonpath={.spec}": "'jsonpath={.spec}'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%s: got %s, want %s", word, got, want)
		}
	}
}

// TestWithoutServerFields leaves out what the API server keeps in metadata, and
// nothing that is called so elsewhere.
func TestWithoutServerFields(t *testing.T) {
	const object = "kind: A\nmetadata:\n  annotations:\n    uid: 1\n  creationTimestamp: \"x\"\n  name: a\n  uid: y\nspec:\n  namespace: b\n  uid: z\n"
	if got, want := withoutServerFields(object), "kind: A\nmetadata:\n  annotations:\n    uid: 1\n  name: a\nspec:\n  namespace: b\n  uid: z\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}
