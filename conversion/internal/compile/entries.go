package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

func (b *builder) checkEntries(w *writtenRow) {
	if _, ok := mergedSide(w); !ok {
		b.problem(w, "for example spoke: {debug: .spec.debug, level: .spec.level}, hub: .spec.settings",
			"entries maps named fields on one side to one list on the other, with an element for each name")
	}
	if w.Entries.Name == "" || w.Entries.Value == "" {
		b.problem(w, "for example entries: {name: name, value: value}", "entries does not have the fields of the elements for the name and for the value")
	}
}

// entriesRow maps single values to the entries of a list: it is where with a part for every name.
func (b *builder) entriesRow(w *writtenRow, _ *plan.Row) bool {
	list, ok := b.partedList(w)
	if !ok {
		return false
	}
	for _, field := range [...]string{w.Entries.Name, w.Entries.Value} {
		if list.Items.Member(field) == nil {
			b.noField(w, field, list.Items, w.merged)
			return false
		}
	}
	name, value := list.Items.Member(w.Entries.Name), list.Items.Member(w.Entries.Value)
	if name.Type != "string" {
		b.problem(w, "use a field of type string", "entries: name %s is of type %s", w.Entries.Name, name.Describe())
		return false
	}
	before := b.found.Reported
	var parts []partRow
	for i, entry := range w.names[w.merged.Other()] {
		if err := diagnose.InEnum(jsontext.Quote(nil, entry), name); err != nil {
			b.problem(w, "use the names of the elements", "entries: %q as %s %v", entry, w.Entries.Name, err)
			continue
		}
		row := rowOfWhole(w.merged.Other(), w.Entries.Value)
		if s := w.schemas[w.merged.Other()][i]; value.Type == "string" && slices.Contains([]string{"integer", "number", "boolean"}, s.Type) {
			row.Scalar = &v1alpha1.Scalar{}
		}
		parts = append(parts, partRow{
			name: entry, operand: i,
			tests: []plan.Test{{At: path.Path{w.Entries.Name}, Values: [][]byte{jsontext.Quote(nil, entry)}, Schema: name}},
			lists: []rowList{{rows: []v1alpha1.Row{row}, title: w.title + ", entries " + entry + " ", implied: true}},
		})
	}
	return b.found.Reported == before && b.partRows(w, list, parts)
}
