package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

func (b *builder) checkText(w *writtenRow) {
	if !slices.Contains(v1alpha1.Formats(), w.Text) {
		b.problem(w, "use json or yaml", "text: %q is not a format", w.Text)
	}
}

func (b *builder) textRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	types := w.pair()
	whole := plan.Spoke
	if types[plan.Spoke].Type != "string" {
		whole = plan.Hub
	}
	data := types[whole.Other()]
	if data.Type == "string" {
		b.problem(w, "remove text, or add the schema of the data to one of them", "text maps a string to the data in it, but both fields are strings, which need no mapping")
		return false
	}
	if types[whole].Type != "string" || !data.Allows("object") && !data.Allows("array") {
		b.problem(w, "name a string on one side, and an object or a list on the other", "text maps a string to the data in it: %s is of type %s, %s is of type %s",
			w.paths[plan.Spoke][0], types[plan.Spoke].Describe(), w.paths[plan.Hub][0], types[plan.Hub].Describe())
		return false
	}
	r.Kind, r.Mapping = plan.Map, &mapping.Text{Whole: whole, Format: w.Text, Data: data.Inside()}
	name := map[v1alpha1.Format]string{v1alpha1.FormatJSON: "JSON", v1alpha1.FormatYAML: "YAML"}[w.Text]
	r.Needs[whole] = name + " that " + w.paths[whole.Other()][0].String() + " can hold"
	r.Needs[whole.Other()] = "a value that can be written as " + name
	return true
}
