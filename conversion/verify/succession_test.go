package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// hoarding restores nothing that an earlier table has kept, and leaves it in the stash.
type hoarding struct{ Converter }

func (h hoarding) Convert(dst, object []byte, to string) ([]byte, error) {
	in, err := tree.Parse(object)
	if err != nil {
		return h.Converter.Convert(dst, object, to)
	}
	hoard := map[string]*tree.Value{}
	annotations := in.Get("metadata").Get("annotations")
	for _, name := range []string{stash.Prefix + to, stash.Prefix + to + stash.StatusSuffix} {
		if kept := annotations.Get(name); kept != nil {
			hoard[name] = kept
			annotations.Set(name, nil)
		}
	}
	out, err := h.Converter.Convert(nil, in.Append(nil), to)
	if err != nil {
		return dst, err
	}
	made, err := tree.Parse(out)
	if err != nil || len(hoard) == 0 {
		return append(dst, out...), err
	}
	at := tree.Path{}.Name("metadata")
	for _, at := range []tree.Path{at, at.Name("annotations")} {
		if made.At(at) == nil {
			made.Put(at, tree.NewObject())
		}
	}
	for name, kept := range hoard {
		made.Put(at.Name("annotations").Name(name), kept)
	}
	return made.Append(dst), nil
}

// TestSuccession: whoever loses what an earlier table has kept is noticed, and whoever only hoards it.
func TestSuccession(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []func(Converter) Converter{
			func(c Converter) Converter { return forgetful{c} }, func(c Converter) Converter { return hoarding{c} },
		} {
			s, c, err := Load(data, compileWithFunctions)
			if err != nil || c.Law != Evolved {
				break
			}
			s.converter = by(s.converter)
			if found := s.Check(c); found != nil {
				problems[found.Problem]++
			}
		}
	}
	for _, reason := range []string{"under the new table the object has lost what it had kept", "under the new table the stash has what could be shown"} {
		if problems[reason] < 10 {
			t.Errorf("%s: %d times", reason, problems[reason])
		}
	}
}

// TestShows: an entry is shown by some element of the lists on its way, with members that defaults add.
func TestShows(t *testing.T) {
	for _, test := range []struct {
		value, entry string
		want         bool
	}{
		{`{"a":{"b":1,"c":2}}`, `{"at":["a"],"value":{"b":1}}`, true},
		{`{"a":{"c":2}}`, `{"at":["a"],"value":{"b":1}}`, false},
		{`{"a":[{"c":2},{"b":1}]}`, `{"at":["a",{"content":"x","nth":0},"b"],"value":1}`, true},
		{`{"a":[{"c":2},{"b":2}]}`, `{"at":["a",{"key":{"c":1}},"b"],"value":1}`, false},
		{`{"a":{"x":{"b":1}}}`, `{"at":["a",{"part":"p"},"x","b"],"value":1}`, true},
		{`{"a":[{"c":2},{"b":1}]}`, `{"at":["a",{"content":"x","nth":0},"b"]}`, true},
		{`{"a":[{"b":1}]}`, `{"at":["a",{"content":"x","nth":0},"b"]}`, false},
		{`{}`, `{"at":["a","b"]}`, true},
		{`{"a":[1,2,3]}`, `{"at":["a"],"order":[{"value":3},{"content":"x","nth":0}]}`, true},
		{`{"a":[1,2]}`, `{"at":["a"],"order":[{"value":3}]}`, false},
		{`{"a":{}}`, `{"at":["a"],"order":[]}`, false},
		{`{"a":[1,2]}`, `{"at":["a"],"value":[1]}`, false},
	} {
		value, err := tree.Parse([]byte(test.value))
		entry, bad := tree.Parse([]byte(test.entry))
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		if got := shows(value, entry.Get("at").Items, entry); got != test.want {
			t.Errorf("%s in %s: got %t", strings.ReplaceAll(test.entry, `"`, ""), test.value, got)
		}
	}
}
