package complement

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// parsed is the tree of a text.
func parsed(text string, of *schema.Schema) *tree {
	var t tree
	t.parse([]byte(text), of)
	return &t
}

func TestTreeIsWrittenAsItWasRead(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`, `-1.50e2`, ` {"a" : [1, {"b\n":null}] , "":"x" }`} {
		tr := parsed(text, nil)
		if got, want := string(tr.write(nil, 0, nil)), trimmed(text); got != want {
			t.Errorf("%s becomes %s", want, got)
		}
	}
}

// trimmed is a text without white space around it.
func trimmed(text string) string {
	var t tree
	t.parse([]byte(text), nil)
	return string(t.value(0))
}

func TestTreeChanges(t *testing.T) {
	tr := parsed(`{"a": {"b": 1, "c": [1, 2, 3]}, "d": {}}`, nil)
	at := func(names ...string) int32 { return tr.at(0, names) }
	tr.put(at("a"), []byte("b"), []byte(`{"x":2}`))
	tr.put(at("a", "b"), []byte("\"y\n"), []byte(`null`))
	tr.put(0, []byte("e"), []byte(`[]`))
	tr.remove(at("d"))
	elements := tr.elements(at("a", "c"))
	tr.order(at("a", "c"), []int32{elements[2], tr.element([]byte(`"new"`), nil), elements[0]})
	want := `{"a":{"b":{"x":2,"\"y\n":null},"c":[3,"new",1]},"e":[]}`
	if got := string(tr.write(nil, 0, nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if tr.at(0, []string{"d"}) != none || at("a", "b", "\"y\n") == none {
		t.Error("what was removed is found, or what was put is not")
	}
}

// A large object finds its members by an index, which changes keep right.
func TestTreeIndex(t *testing.T) {
	text := []byte{'{'}
	for i := range 100 {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '"', byte('a'+i/26), byte('a'+i%26), '"', ':', '1')
	}
	tr := parsed(string(append(text, '}')), nil)
	if tr.child(0, []byte("dv")) == none || tr.indexes[0] == nil {
		t.Fatal("no member, or no index")
	}
	tr.remove(tr.child(0, []byte("dv")))
	added := tr.put(0, []byte("new"), []byte("2"))
	if tr.child(0, []byte("dv")) != none || tr.child(0, []byte("new")) != added {
		t.Error("the index does not follow changes")
	}
}

// Pieces lead from what was written to what was read.
func TestTreePieces(t *testing.T) {
	const text = `{"list":[{"a":1},{"a":2}],"rest":{"z":[0]}}`
	tr := parsed(text, nil)
	second := tr.elements(tr.at(0, []string{"list"}))[1]
	tr.put(second, []byte("b"), []byte("3"))
	var pieces []piece
	out := tr.write(nil, 0, &pieces)
	o := origins{view: tr, pieces: pieces}
	for _, of := range []string{`{"a":1}`, `{"a":2`, `{"z":[0]}`, `[0]`} {
		at := strings.Index(string(out), of)
		from, found := o.inView(int32(at))
		if want := strings.Index(text, of); !found || int(from) != want {
			t.Errorf("%s at %d of %s is from %d (%t), want %d", of, at, out, from, found, want)
		}
	}
}
