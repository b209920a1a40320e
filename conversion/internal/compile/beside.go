package compile

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// If the schema of one version allows anything in a field, the schema of the other version may tell
// what the mapping needs: beside a list, keyed maps a map. The row can't map values of other types
// that are in the field all the same.

// takeKinds replaces the schemas of fields for anything by the type that the mapping needs.
func (w *writtenRow) takeKinds() {
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

// ofType returns the schema of a field for any value of a type.
func ofType(t string) *schema.Schema {
	return &schema.Schema{Type: t, Open: t == "object", Nullable: true}
}

func (w *writtenRow) templateBeside(*schema.Schema) *schema.Schema {
	return ofType("string") // a single element is a string, and parts are read as strings
}

func (w *writtenRow) textBeside(counterpart *schema.Schema) *schema.Schema {
	if counterpart.Type == "string" {
		return nil // data of any kind
	}
	return ofType("string")
}

func (w *writtenRow) joinBeside(counterpart *schema.Schema) *schema.Schema {
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

func (w *writtenRow) keyedBeside(counterpart *schema.Schema) *schema.Schema {
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
