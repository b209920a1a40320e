package cost

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Whatever is forged can be read as a stash and takes the room that there is, and every kind
// of entry, item and step is among it.
func TestForgeries(t *testing.T) {
	const room = 20_000
	kinds := map[string]bool{}
	for what, fill := range forgeries() {
		f := forger{at: []stash.Step{step("spec"), step("list")}, key: "name", inside: "value", room: room}
		entries := fill(f)
		text := kept(otherTable, entries)
		read, mark, err := stash.Read(nil, []byte(text))
		if err != nil || mark != otherTable || len(read) != len(entries) {
			t.Errorf("%s: %d of %d entries are read, %v", what, len(read), len(entries), err)
		}
		if least := room / 3 * 2; len(text) < least || len(text) > 2*room {
			t.Errorf("%s: %d bytes", what, len(text))
		}
		for _, e := range entries {
			kinds["an order"] = kinds["an order"] || e.Order != nil
			kinds["a value"] = kinds["a value"] || e.Value != nil
			kinds["an absence"] = kinds["an absence"] || e.Order == nil && e.Value == nil
			kinds["a guard"] = kinds["a guard"] || e.Guard != nil
			for _, i := range e.Order {
				kinds["a whole item"] = kinds["a whole item"] || i.Value != nil
				kinds["an item of a part"] = kinds["an item of a part"] || i.Part != nil
			}
			for _, s := range e.At {
				kinds["a name"] = kinds["a name"] || s.Name != nil
				kinds["a key"] = kinds["a key"] || s.Key != nil
				kinds["a content"] = kinds["a content"] || s.Content != nil && s.Live == nil
				kinds["a content that lacks something"] = kinds["a content that lacks something"] || s.Live != nil
				kinds["a part"] = kinds["a part"] || s.Part != nil
			}
		}
	}
	if len(kinds) != 11 {
		t.Errorf("%d kinds", len(kinds))
	}
	for kind, seen := range kinds {
		if !seen {
			t.Errorf("%s is nowhere", kind)
		}
	}
}
