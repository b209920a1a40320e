package compile

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Where one version's schema says nothing of a place, a mapping may follow from what the other
// version has there: beside a list, keyed maps a map. What else stands there all the same, the row
// cannot map.

// takeKinds reads places for anything as what the mapping makes of them.
func (w *written) takeKinds() {
	if w.mapping.beside == nil {
		return
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		at, counterpart := w.schemas[side], w.schemas[side.Other()][0]
		if len(at) != 1 || !at[0].IsAny() || counterpart.IsAny() {
			continue
		}
		if found := w.mapping.beside(w, counterpart); found != nil {
			w.schemas[side] = []*schema.Schema{found}
			return
		}
	}
}

// ofType returns a place for anything of a type.
func ofType(t string) *schema.Schema {
	return &schema.Schema{Type: t, Open: t == "object", Nullable: true}
}

func (w *written) templateBeside(*schema.Schema) *schema.Schema {
	return ofType("string") // only the string stands alone, and parts are read as strings
}

func (w *written) textBeside(counterpart *schema.Schema) *schema.Schema {
	if counterpart.Type == "string" {
		return nil // data of any kind
	}
	return ofType("string")
}

func (w *written) joinBeside(counterpart *schema.Schema) *schema.Schema {
	switch counterpart.Type {
	case "string":
		list := ofType("array")
		list.Items = ofType("string")
		return list
	case "array":
		return ofType("string")
	}
	return nil
}

func (w *written) keyedBeside(counterpart *schema.Schema) *schema.Schema {
	if counterpart.Type == "array" {
		dict := ofType("object")
		dict.Values = schema.Any()
		return dict
	}
	list := ofType("array")
	list.Items = ofType("object")
	for _, key := range keysIn(w.Keyed.Key) {
		list.Items.Members = withMember(list.Items.Members, key, ofType("string"))
	}
	return list
}
