package graft

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// of is the schema of all scenarios: a list with keys, one of which has a default, a
// place that is an object, one with a default in it, one that is a list of objects, and a
// map.
var of = &schema.Schema{Type: "object", Open: true, Members: map[string]*schema.Schema{
	"ports": {Type: "array", Items: &schema.Schema{Type: "object", Open: true, Members: map[string]*schema.Schema{
		"number":   {Type: "integer"},
		"protocol": {Type: "string", Default: []byte(`"TCP"`)},
	}}},
	"one":  {Type: "object", Members: map[string]*schema.Schema{"p": {Type: "integer"}}},
	"five": {Type: "object", Members: map[string]*schema.Schema{"p": {Type: "integer", Default: []byte("5"), Whole: []byte("5")}}},
	"many": {Type: "array", Items: &schema.Schema{Type: "object", Open: true}},
	"map":  {Type: "object", Values: &schema.Schema{}},
	"open": {Type: "object", Open: true},
}}

// scenario is a text, what entries of a stash say, and what becomes of the text.
type scenario struct{ name, text, entries, want string }

// run plants all entries and compares the text. An empty text is nothing, and so is
// an empty want.
func run(t *testing.T, plant func(*Tree, stash.Entry), scenarios []scenario) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			// HASH(x) is the content of an element x.
			for {
				before, rest, found := strings.Cut(s.entries, "HASH(")
				if !found {
					break
				}
				element, after, _ := strings.Cut(rest, ")")
				s.entries = before + `"` + string(contentOf([]byte(element), nil)) + `"` + after
			}
			entries, _, err := stash.Read(nil, []byte(`{"format":1,"entries":[`+s.entries+`]}`))
			if err != nil {
				t.Fatalf("%s: %v", s.entries, err)
			}
			var tree Tree
			for _, e := range entries {
				plant(&tree, e)
			}
			var got []byte
			if s.text == "" {
				got = tree.Made(of)
			} else {
				got = tree.Into([]byte(s.text), of)
			}
			if string(got) != s.want {
				t.Errorf("%s\nand %s\ngive %s\nwant %s", s.text, s.entries, got, s.want)
			}
		})
	}
}

// TestFill: what is filled in stands only where nothing else does.
func TestFill(t *testing.T) {
	run(t, func(tree *Tree, e stash.Entry) { tree.Fill(e.At, e.Value) }, []scenario{
		{"a member that is missing", `{"a": 1}`, `{"at":["b"],"value":2}`, `{"a":1,"b":2}`},
		{"not one that is there", `{"a":1}`, `{"at":["a"],"value":2}`, `{"a":1}`},
		{"not one that is null", `{"a":null}`, `{"at":["a"],"value":2}`, `{"a":null}`},
		{"the first of two", `{}`, `{"at":["a"],"value":1},{"at":["a"],"value":2}`, `{"a":1}`},
		{"of an object what is missing", `{"a":{"x":1}}`, `{"at":["a"],"value":{"x":2,"y":{"z":3}}}`, `{"a":{"x":1,"y":{"z":3}}}`},
		{"an object around it", `{}`, `{"at":["a","b","c"],"value":1}`, `{"a":{"b":{"c":1}}}`},
		{"not a default that is there with its object", `{"five":{}}`, `{"at":["five","p"],"value":7}`, `{"five":{}}`},
		{"a default of an object that is not there", `{}`, `{"at":["five"],"value":{"p":7}}`, `{"five":{"p":7}}`},
		{"a default in an object that is made around it", `{}`, `{"at":["five","p"],"value":7}`, `{"five":{"p":7}}`},
		{"into nothing", ``, `{"at":["a","b"],"value":1}`, `{"a":{"b":1}}`},
		{"nothing that the schema does not know", `{"one":{}}`, `{"at":["one","q"],"value":7}`, `{"one":{}}`},
		{"an empty object", `{}`, `{"at":["a"],"value":{}}`, `{"a":{}}`},
		{"nothing into a text", `{"a":"text"}`, `{"at":["a","b"],"value":1}`, `{"a":"text"}`},
		{"a name that has to be quoted", `{"\u0061\"":{}}`, `{"at":["a\"","\n"],"value":1}`, `{"a\"":{"\n":1}}`},
		{"what is not looked into stays as it is written", `{"a":[ 1.50, "\u0061" ]}`, `{"at":["b"],"value":2}`, `{"a":[ 1.50, "\u0061" ],"b":2}`},

		{"an element by its key", `{"ports":[{"number":1,"protocol":"UDP"},{"number":2,"protocol":"UDP"}]}`,
			`{"at":["ports",{"key":{"number":2,"protocol":"UDP"}},"p"],"value":1}`,
			`{"ports":[{"number":1,"protocol":"UDP"},{"number":2,"protocol":"UDP","p":1}]}`},
		{"an element of which the key is a default", `{"ports":[{"number":1},{"number":2}]}`,
			`{"at":["ports",{"key":{"number":2,"protocol":"TCP"}},"p"],"value":1}`,
			`{"ports":[{"number":1},{"number":2,"p":1}]}`},
		{"no element that has no key", `{"ports":[{"protocol":"TCP"},5]}`,
			`{"at":["ports",{"key":{"number":2,"protocol":"TCP"}},"p"],"value":1}`,
			`{"ports":[{"protocol":"TCP"},5]}`},
		{"no element that is gone", `{"ports":[{"number":1}]}`,
			`{"at":["ports",{"key":{"number":2,"protocol":"TCP"}},"p"],"value":1}`,
			`{"ports":[{"number":1}]}`},
		{"no list for an element that is gone", `{}`, `{"at":["ports",{"key":{"number":2}},"p"],"value":1}`, `{}`},
		{"the second of two equal elements", `{"many":[{"x":1},{ "x":1 },{"x":2}]}`,
			`{"at":["many",{"content":HASH({"x":1}),"nth":1},"p"],"value":7}`,
			`{"many":[{"x":1},{"x":1,"p":7},{"x":2}]}`},
		{"no element of another content", `{"many":[{"x":3}]}`,
			`{"at":["many",{"content":HASH({"x":1}),"nth":0},"p"],"value":7}`, `{"many":[{"x":3}]}`},
		{"an element in a part of a list", `{"many":[{"x":3}]}`,
			`{"at":["many",{"part":"http"},{"content":HASH({"x":3}),"nth":0},"p"],"value":7}`, `{"many":[{"x":3,"p":7}]}`},
		{"not what stood alone in a part of a list", `{"many":[{"x":3}]}`,
			`{"at":["many",{"part":"http"},"","p"],"value":7}`, `{"many":[{"x":3}]}`},

		{"what stood alone in an object", `{"one":{}}`, `{"at":["one","","p"],"value":7}`, `{"one":{"p":7}}`},
		{"what stood alone in the first of a list", `{"many":[{},{}]}`, `{"at":["many","","p"],"value":7}`, `{"many":[{"p":7},{}]}`},
		{"what stood alone, as an object", `{}`, `{"at":["one","","p"],"value":7}`, `{"one":{"p":7}}`},
		{"what stood alone, as a list", `{}`, `{"at":["many","","p"],"value":7}`, `{"many":[{"p":7}]}`},
		{"what stood alone in an object that may have any names", `{"open":{}}`, `{"at":["open","","p"],"value":7}`, `{"open":{"p":7}}`},
		{"an empty name in an object that may have any names", `{"open":{}}`, `{"at":["open",""],"value":7}`, `{"open":{"":7}}`},
		{"a map with an empty name", `{}`, `{"at":["map",""],"value":7}`, `{"map":{"":7}}`},
		{"a name in a map that is empty", `{"map":{}}`, `{"at":["map",""],"value":7}`, `{"map":{"":7}}`},
	})
}

// TestForce: what is forced stands in any case, and what is forced to be absent is
// taken away.
func TestForce(t *testing.T) {
	run(t, (*Tree).Force, []scenario{
		{"another value", `{"a":1,"b":2}`, `{"at":["a"],"value":3}`, `{"a":3,"b":2}`},
		{"the last of two", `{"a":1}`, `{"at":["a"],"value":2},{"at":["a"],"value":3}`, `{"a":3}`},
		{"absence", `{"a":1,"b":2}`, `{"at":["a"]}`, `{"b":2}`},
		{"absence of what is not there", `{"b":2}`, `{"at":["a"]}`, `{"b":2}`},
		{"a member that is missing", `{}`, `{"at":["a","b"],"value":1}`, `{"a":{"b":1}}`},
		{"an object and what is in it", `{"a":1}`, `{"at":["a"],"value":{"x":1}},{"at":["a","y"],"value":2}`, `{"a":{"x":1,"y":2}}`},
		{"absence of an element", `{"ports":[{"number":1},{"number":2}]}`, `{"at":["ports",{"key":{"number":1}}]}`, `{"ports":[{"number":2}]}`},
		{"no element that nothing but a name leads to", `{"ports":[{"number":1}]}`, `{"at":["ports","p"],"value":2}`, `{"ports":[{"number":1}]}`},
		{"a member of an element", `{"ports":[{"number":1,"p":1}]}`, `{"at":["ports",{"key":{"number":1}},"p"],"value":2}`, `{"ports":[{"number":1,"p":2}]}`},
	})
}

// TestOrder: elements stand where they stood, and new ones behind.
func TestOrder(t *testing.T) {
	run(t, (*Tree).Force, []scenario{
		{"of the names in a map", `{"many":[{"n":"a"},{"n":"b"},{"n":"c"}]}`, `{"at":["many"],"order":["c","a","b"]}`, `{"many":[{"n":"c"},{"n":"a"},{"n":"b"}]}`},
		{"with a new element", `{"many":[{"n":"new"},{"n":"a"},{"n":"b"}]}`, `{"at":["many"],"order":["b","a"]}`, `{"many":[{"n":"b"},{"n":"a"},{"n":"new"}]}`},
		{"without one that is gone", `{"many":[{"n":"a"},{"n":"b"}]}`, `{"at":["many"],"order":["b","c","a"]}`, `{"many":[{"n":"b"},{"n":"a"}]}`},
		{"by the member that has the names", `{"many":[{"m":"b","n":"a"},{"m":"x","n":"b"}]}`, `{"at":["many"],"order":["b","a"]}`, `{"many":[{"m":"x","n":"b"},{"m":"b","n":"a"}]}`},
		{"by names that are numbers", `{"many":[{"n":1},{"n":2}]}`, `{"at":["many"],"order":["2","1"]}`, `{"many":[{"n":2},{"n":1}]}`},
		{"with whole elements where they stood", `{"ports":[{"number":1},{"number":2}]}`,
			`{"at":["ports"],"order":[{"value":"first"},{"key":{"number":1}},{"value":"second"},{"key":{"number":2}},{"value":"last"}]}`,
			`{"ports":["first",{"number":1},"second",{"number":2},"last"]}`},
		{"with whole elements before one that has moved", `{"ports":[{"number":2},{"number":1}]}`,
			`{"at":["ports"],"order":[{"key":{"number":1}},{"value":"behind 1"},{"key":{"number":2}}]}`,
			`{"ports":[{"number":2},{"number":1},"behind 1"]}`},
		{"with no whole element twice", `{"many":[{ "x":1.0 },{"n":"a"}]}`, `{"at":["many"],"order":[{"value":{"x":1}},"a"]}`, `{"many":[{"x":1},{"n":"a"}]}`},
		{"with a whole element that has a name elsewhere", `{"many":[{"m":"a"},{"n":"a"}]}`, `{"at":["many"],"order":[{"value":{"m":"a"}},"a"]}`, `{"many":[{"m":"a"},{"n":"a"}]}`},
		{"with a whole element that has the name of another", `{"many":[{"n":"a"}]}`, `{"at":["many"],"order":["a",{"value":{"n":"a"}}]}`, `{"many":[{"n":"a"},{"n":"a"}]}`},
		{"behind what stands alone", `{"many":[{"n":""}]}`, `{"at":["many"],"order":["",{"value":{"m":""}}]}`, `{"many":[{"n":""},{"m":""}]}`},
		{"that is not the first by now", `{"many":[{"m":""},{}]}`, `{"at":["many"],"order":["",{"value":{"m":""}}]}`, `{"many":[{},{"m":""}]}`},
		{"before one with an empty name", `{"many":[{"n":""}]}`, `{"at":["many"],"order":[{"value":{}},""]}`, `{"many":[{},{"n":""}]}`},
		{"among those of parts", `{"many":[{"n":"b"},{"n":"a"}]}`, `{"at":["many"],"order":[{"part":"x","step":"b"},{"value":{}},{"part":"y","step":""}]}`,
			`{"many":[{"n":"b"},{},{"n":"a"}]}`},
		{"among fewer of parts", `{"many":[{"n":"b"}]}`, `{"at":["many"],"order":[{"part":"x","step":"b"},{"value":{}},{"part":"y","step":""}]}`, `{"many":[{"n":"b"}]}`},
		{"of nothing", `{"many":[]}`, `{"at":["many"],"order":["a"]}`, `{"many":[]}`},
	})
}

// TestPosition: whoever knows where an element stands need not know it by anything else.
func TestPosition(t *testing.T) {
	name := func(text string) stash.Step { return stash.Step{Name: []byte(text)} }
	var tree Tree
	tree.Force(stash.Entry{At: []stash.Step{name("many"), {Nth: 1}, name("x")}, Value: []byte("2")})
	tree.Force(stash.Entry{At: []stash.Step{name("many"), {Nth: 3}}, Value: []byte("2")})
	tree.Force(stash.Entry{At: []stash.Step{name("many")}, Order: []stash.Item{{Step: stash.Step{Nth: 0}}, {Value: []byte("5")}}})
	want := `{"many":[{"x":1},5,{"x":2},{"x":1}]}`
	if got := string(tree.Into([]byte(`{"many":[{"x":1},{"x":1},{"x":1}]}`), of)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMember is how a plan plants what belongs into members that it copies.
func TestMember(t *testing.T) {
	var tree Tree
	tree.Fill([]stash.Step{{Name: []byte("a")}, {Name: []byte("b")}}, []byte("1"))
	if in := tree.Member([]byte("a")); in == nil || string(in.Into([]byte(`{"c":2}`), nil)) != `{"c":2,"b":1}` {
		t.Errorf("nothing comes to a")
	}
	if tree.Member([]byte("b")) != nil {
		t.Errorf("something comes to b")
	}
	var zero Tree
	if got := zero.Into([]byte(`{ }`), of); string(got) != `{ }` {
		t.Errorf("nothing makes %s of an object", got)
	}
	if got := zero.Made(of); got != nil {
		t.Errorf("nothing makes %s of nothing", got)
	}
}
