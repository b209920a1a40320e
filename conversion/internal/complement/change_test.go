package complement

import (
	"bytes"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

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

// What the API server would remove is not put into an object, and what it would add is.
func TestTreePrunesAndFills(t *testing.T) {
	of := schemaOf(t, withDefaults)
	tr := parsed(`{"m":{}}`, of)
	tr.put(0, []byte("o"), []byte(`{"x":2,"unknown":{"x":3}}`))
	tr.put(tr.at(0, []string{"m"}), []byte("any"), []byte(`"v"`))
	if got, want := string(tr.write(nil, 0, nil)), `{"m":{"any":"v"},"o":{"x":2}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tr.fill(tr.at(0, []string{"o"}))
	if got, want := string(tr.write(nil, 0, nil)), `{"m":{"any":"v"},"o":{"x":2,"s":""}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, c := range []struct {
		names string
		want  bool
	}{{"a", true}, {"unknown", false}, {"o x", true}, {"o z", false}, {"m any", true}, {"l", true}} {
		var names []stash.Step
		for _, name := range bytes.Fields([]byte(c.names)) {
			names = append(names, stash.Step{Name: name})
		}
		if got := tr.hasPlace(0, names); got != c.want {
			t.Errorf("%s has a place: %t, want %t", c.names, got, c.want)
		}
	}
}

func TestTreeMovesBehind(t *testing.T) {
	for after, want := range map[string]string{"a": `{"a":1,"c":3,"b":2}`, "b": `{"a":1,"b":2,"c":3}`} {
		tr := parsed(`{"a":1,"b":2}`, nil)
		tr.moveBehind(tr.put(0, []byte("c"), []byte("3")), tr.at(0, []string{after}))
		if got := string(tr.write(nil, 0, nil)); got != want {
			t.Errorf("behind %s: %s, want %s", after, got, want)
		}
		tr.put(0, []byte("d"), []byte("4"))
		if got, want := string(tr.write(nil, 0, nil)), want[:len(want)-1]+`,"d":4}`; got != want {
			t.Errorf("and another: %s, want %s", got, want)
		}
	}
}
