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
		{"spec.a", "path spec.a: a path begins with a dot: did you mean .spec.a?"},
		{"$.spec.a", "path $.spec.a: a path begins with a dot: did you mean .spec.a?"},
		{"$spec.a", "path $spec.a: a path begins with a dot: did you mean .spec.a?"},
		{"$['a.b']", "path $['a.b']: a path begins with a dot: did you mean ['a.b']?"},
		{".spec..a", "path .spec..a: a name is missing behind a dot"},
		{".spec.", "path .spec.: a name is missing behind a dot"},
		{".spec[0]", "path .spec[0]: brackets hold a quoted name such as ['a.b']; elements of a list are reached with each"},
		{".spec['a", "path .spec['a: the quoted name has no end"},
		{".spec['a'x", "path .spec['a'x: a quoted name ends with ']"},
		{`.spec['a\`, `path .spec['a\: it ends with a backslash`},
		{".spec.*.a", "path .spec.*.a: there are no wildcards; elements of a list are reached with each, and a name with a * or ? is quoted"},
		{".spec.sel.*", "path .spec.sel.*: there are no wildcards; elements of a list are reached with each, and a name with a * or ? is quoted"},
		{"['*'].a?", "path ['*'].a?: there are no wildcards; elements of a list are reached with each, and a name with a * or ? is quoted"},
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
