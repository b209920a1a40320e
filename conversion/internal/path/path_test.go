package path

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want Path
	}{
		{".spec", Path{"spec"}},
		{".spec.a-b.c_d", Path{"spec", "a-b", "c_d"}},
		{".metadata.annotations['example.com/a.b']", Path{"metadata", "annotations", "example.com/a.b"}},
		{`['it\'s'].a['b\\c']['']`, Path{"it's", "a", `b\c`, ""}},
		{`.spec['*'].a['b?']`, Path{"spec", "*", "a", "b?"}},
	} {
		got, err := Parse(test.text)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "the path is empty; a path looks like .spec.replicas"},
		{"spec.a", "path spec.a: a path starts with a dot: did you mean .spec.a?"},
		{"$.spec.a", "path $.spec.a: a path starts with a dot: did you mean .spec.a?"},
		{"$spec.a", "path $spec.a: a path starts with a dot: did you mean .spec.a?"},
		{"$['a.b']", "path $['a.b']: a path starts with a dot: did you mean ['a.b']?"},
		{".spec..a", "path .spec..a: a name is missing after a dot"},
		{".spec.", "path .spec.: a name is missing after a dot"},
		{".spec[0]", "path .spec[0]: brackets are for a quoted name such as ['a.b']; use each for the elements of a list"},
		{".spec['a", "path .spec['a: the quoted name has no end"},
		{".spec['a'x", "path .spec['a'x: a quoted name must end with ']"},
		{`.spec['a\`, `path .spec['a\: it ends with a backslash`},
		{".spec.*.a", "path .spec.*.a: wildcards are not supported; use each for the elements of a list, and quotes for a name with a * or ?"},
		{".spec.sel.*", "path .spec.sel.*: wildcards are not supported; use each for the elements of a list, and quotes for a name with a * or ?"},
		{"['*'].a?", "path ['*'].a?: wildcards are not supported; use each for the elements of a list, and quotes for a name with a * or ?"},
	} {
		if _, err := Parse(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{".spec.a", "['a.b'].c", `['\'']`, ".a[", "..", ".*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(p.String())
		if err != nil || !slices.Equal(again, p) {
			t.Fatalf("%q is written as %s, which reads %q, %v", p, p, again, err)
		}
	})
}
