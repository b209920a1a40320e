package complement

import (
	"bytes"
	"fmt"
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
	want := `{"a": {"b":{"x":2,"\"y\n":null},"c": [3,"new",1]},"e":[]}` // space stays where it is not changed
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
	tr.put(tr.at(0, []string{"m"}), []byte("not a text"), []byte(`["l",{"unknown":1}]`))
	tr.put(0, []byte("l"), []byte(`[1,{"unknown":1},[{"unknown":1}]]`))
	if got, want := string(tr.write(nil, 0, nil)), `{"m":{"any":"v","not a text":["l",{}]},"o":{"x":2},"l":[1,{},[{}]]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tr.remove(tr.at(0, []string{"l"}))
	tr.remove(tr.at(0, []string{"m", "not a text"}))
	(&restorer{t: tr}).fill(filling{id: tr.at(0, []string{"o"})})
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

// Labels, annotations and metadata are not there if nothing is in them.
func TestTreeRemovesEmptyMetadata(t *testing.T) {
	for text, want := range map[string]string{
		`{"metadata":{"labels":{}}}`:                        `{}`,
		`{"metadata":{"labels":{},"name":"a"}}`:             `{"metadata":{"name":"a"}}`,
		`{"metadata":{"labels":{"a":"b"}}}`:                 `{"metadata":{"labels":{"a":"b"}}}`,
		`{"metadata":{"labels":{},"annotations":{"a":""}}}`: `{"metadata":{"annotations":{"a":""}}}`,
		`{"metadata":{"other":{}}}`:                         `{"metadata":{"other":{}}}`,
		`{"spec":{"metadata":{"labels":{}}}}`:               `{"spec":{"metadata":{"labels":{}}}}`,
	} {
		tr := parsed(text, nil)
		for _, names := range [][]string{{"metadata", "labels"}, {"spec", "metadata", "labels"}, {"metadata", "other"}} {
			if at := tr.at(0, names); at != none {
				tr.removeEmpty(at)
			}
		}
		if got := string(tr.write(nil, 0, nil)); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
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

// Two forged entries may give a list another value and an order.
func TestTreeOrdersOnlyLists(t *testing.T) {
	for _, value := range []string{`null`, `"text"`, `{}`, `{"b":1}`, `[]`} {
		tr := parsed(`{"a":[1,2]}`, nil)
		a := tr.at(0, []string{"a"})
		elements := tr.elements(a)
		tr.set(a, []byte(value))
		tr.order(a, elements)
		want := `{"a":` + value + `}`
		if value == "[]" {
			want = `{"a":[1,2]}`
		}
		if got := string(tr.write(nil, 0, nil)); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

// Forged entries may replace an object and change what was in it.
func TestTreeForgetsWhatWasReplaced(t *testing.T) {
	for _, value := range []string{`null`, `7`, `[1]`, `{}`, `{"b":1}`} {
		tr := parsed(`{"metadata":{"labels":{"b":{"c":2}}}}`, nil)
		labels := tr.at(0, []string{"metadata", "labels"})
		b := tr.child(labels, []byte("b"))
		c := tr.child(b, []byte("c"))
		tr.set(labels, []byte(value))
		tr.set(c, []byte("3"))
		tr.put(b, []byte("d"), []byte("4"))
		for _, id := range []int32{c, b} {
			if tr.isIn(id) {
				t.Errorf("beside %s, %d is still there", value, id)
			}
			tr.remove(id)
			tr.removeEmpty(tr.nodes[id].parent)
		}
		if got, want := string(tr.write(nil, 0, nil)), `{"metadata":{"labels":`+value+`}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// After every change a tree is what its text says: hashes and members follow.
func TestTreeFollowsItsChanges(t *testing.T) {
	of := schemaOf(t, withDefaults)
	tr := parsed(`{"o":{"x":2},"l":[3,4],"m":{}}`, of)
	at := func(names ...string) int32 { return tr.at(0, names) }
	for i := range 40 {
		tr.put(at("m"), fmt.Appendf(nil, "k%d", i), []byte(`"v"`))
	}
	for _, change := range []struct {
		name string
		make func()
	}{
		{"put", func() { tr.put(at("o"), []byte("s"), []byte(`"t"`)) }},
		{"set", func() { tr.set(at("o", "x"), []byte("7")) }},
		{"replace", func() { tr.put(0, []byte("m"), []byte(`{"n":"w"}`)) }},
		{"text", func() { tr.putText(at("m"), []byte("n"), []byte("z")) }},
		{"remove", func() { tr.remove(at("o", "x")) }},
		{"order", func() {
			tr.order(at("l"), []int32{tr.elements(at("l"))[1], tr.element([]byte("5"), items(of.Members["l"]))})
		}},
	} {
		tr.hash(0)
		tr.child(at("m"), []byte("n"))
		change.make()
		fresh := parsed(string(tr.write(nil, 0, nil)), of)
		if tr.hash(0) != fresh.hash(0) {
			t.Errorf("%s: the hash is not that of %s", change.name, fresh.value(0))
		}
		for _, names := range [][]string{{"m", "n"}, {"m", "k39"}, {"o", "x"}, {"o", "s"}} {
			if a, b := tr.at(0, names), fresh.at(0, names); (a == none) != (b == none) || a != none && string(tr.current(a)) != string(fresh.value(b)) {
				t.Errorf("%s: %v is not what it is in %s", change.name, names, fresh.value(0))
			}
		}
	}
}

// TestTreePrunesResources: of a resource in a resource, the API server takes kind and apiVersion as they are.
func TestTreePrunesResources(t *testing.T) {
	tr := parsed(`{}`, schemaOf(t, "{type: object, properties: {r: {type: object, x-kubernetes-embedded-resource: true}}}"))
	tr.put(0, []byte("r"), []byte(`{"kind":[{"x":1}],"apiVersion":{"x":null},"metadata":{"x":1},"spec":{"x":1}}`))
	if got, want := string(tr.write(nil, 0, nil)), `{"r":{"kind":[{"x":1}],"apiVersion":{"x":null},"metadata":{"x":1}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
