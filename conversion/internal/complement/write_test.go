package complement_test

import (
	"strings"
	"testing"
)

// An object has entries of two tables: the first could not be placed when the second was written.
func TestWrite(t *testing.T) {
	o := "o: {type: object, properties: {a: {type: integer}, b: {type: integer}}}"
	earlier := compiled(t, tables{beta: o, v1: "other: {type: integer}", rows: "[]"})
	today := compiled(t, tables{beta: o, v1: "other: {type: integer}, c: {type: integer}", rows: "[{spoke: .spec.o.a, hub: .spec.c}]"})
	for _, test := range []struct {
		name, object, back string
		unplaced           int
	}{
		{name: "what another table has kept is added to what this one has", object: "{o: {a: 2}}", back: "{o: {a: 2, b: 1}}"},
		{name: "what another table has kept comes back beside the same", object: "{o: {a: 2, b: 1}}", back: "{o: {a: 2, b: 1}}"},
		{name: "what another table has kept does not replace what this one has", object: "{o: {a: 2, b: 5}}", back: "{o: {b: 1}}", unplaced: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			object := map[string]any{"apiVersion": "example.com/v1beta1", "kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": decoded(t, test.object)}
			hub, _ := converted(t, earlier, object, "v1")
			hub["spec"] = decoded(t, "{c: 3}") // contradicts the entry
			view, _ := converted(t, today, hub, "v1beta1")
			compare(t, "the spec in v1beta1", view["spec"], decoded(t, "{o: {a: 3}}"))
			view["spec"] = decoded(t, "{o: {a: 3, b: 1}}")
			hub, _ = converted(t, today, view, "v1")
			hub["spec"] = decoded(t, "{}")
			view, notes := converted(t, today, hub, "v1beta1")
			compare(t, "the spec that comes back", view["spec"], decoded(t, test.back))
			if notes.Unplaced != test.unplaced {
				t.Errorf("%d entries are unplaced, want %d", notes.Unplaced, test.unplaced)
			}
		})
	}
}

// The order of another table has the elements that it could not represent, and nothing of what this table
// has kept of the list.
func TestWriteOrders(t *testing.T) {
	c := compiled(t, tables{beta: "o: {type: object, properties: {a: {type: integer}}}", v1: "o: {type: object, properties: {" + parted.v1 + "}}", rows: "[]"})
	const order, around = `,{"at":["spec","o","rules"],"order":[{"value":{"type":"UDP"}}],"table":"earlier.v1"}`,
		`,{"at":["spec","o"],"value":{"rules":[{"type":"UDP"}]},"table":"earlier.v1"}`
	for _, test := range []struct {
		name, object, entries, back string
		unplaced                    int
	}{
		{name: "an order replaces no list", object: "{o: {rules: [{type: ICMP}]}}", entries: order, back: "{o: {rules: [{type: ICMP}]}}", unplaced: 1},
		{name: "an order fills an empty list", object: "{o: {rules: []}}", entries: order, back: "{o: {rules: [{type: UDP}]}}"},
		{name: "what is the same after an order has its place", object: "{o: {rules: []}}", entries: order + around, back: "{o: {rules: [{type: UDP}]}}"},
		{name: "what is another list than the restored one has none", object: "{o: {rules: [{type: ICMP}]}}", entries: around, back: "{o: {rules: [{type: ICMP}]}}", unplaced: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			object := map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": decoded(t, test.object)}
			view, _ := converted(t, c, object, "v1beta1")
			annotations := view["metadata"].(map[string]any)["annotations"].(map[string]any)
			const name = "stash.crosswalk.dev/v1"
			annotations[name] = strings.TrimSuffix(annotations[name].(string), "]}") + test.entries + "]}"
			back, notes := converted(t, c, view, "v1")
			compare(t, "the spec that comes back", back["spec"], decoded(t, test.back))
			if notes.Unplaced != test.unplaced {
				t.Errorf("%d entries are unplaced, want %d", notes.Unplaced, test.unplaced)
			}
		})
	}
}
