package complement_test

import (
	"fmt"
	"strings"
	"testing"
)

// move is a field with two names, beside one that each version has alone.
var move = tables{
	beta: "a: {type: string}, only: {type: integer}",
	v1:   "b: {type: string}, more: {type: integer}",
	rows: "[{spoke: .spec.a, hub: .spec.b}]",
}

func TestStep(t *testing.T) {
	tell(t, []story{
		{name: "an exact conversion keeps nothing", tables: move, object: "{a: x}", there: "{b: x}", kept: []string{}},
		{name: "what the other version lacks is kept and comes back", tables: move, object: "{a: x, only: 5}", there: "{b: x}", kept: []string{".spec.only 5"}},
		{name: "it is kept from the hub too", tables: move, from: "v1", object: "{b: x, more: 5}", there: "{a: x}", kept: []string{".spec.more 5"}},
		{name: "an edit of something else leaves it", tables: move, object: "{a: x, only: 5}", edited: "{b: y}", back: "{a: y, only: 5}"},
		{name: "what is kept of status is in a stash of its own", tables: move, object: "{a: x}", status: "{at: then}", there: "{b: x}", kept: []string{".status.at \"then\""}},
	})
}

// TestStepOfBareObject: an object that lacks far more defaults than it has bytes is converted as it is.
func TestStepOfBareObject(t *testing.T) {
	for _, n := range []int{10, 2000} {
		bare := strings.TrimSuffix(strings.Repeat("{},", n), ",")
		full := fmt.Sprintf("{d: %s}", strings.Repeat("x", 1000))
		s := story{
			tables: tables{
				beta: "only: {type: string}, l: {type: array, items: {type: object, properties: {d: {type: string, default: " + strings.Repeat("x", 1000) + "}}}}",
				v1:   "l: {type: array, items: {type: object, properties: {d: {type: string}}}}", rows: "[]",
			},
			object: "{only: p, l: [" + bare + "]}", kept: []string{`.spec.only "p"`},
		}
		filled := strings.ReplaceAll(bare, "{}", full)
		s.there, s.back = "{l: ["+filled+"]}", "{only: p, l: ["+filled+"]}"
		s.run(t)
	}
}
