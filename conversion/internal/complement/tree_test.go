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
