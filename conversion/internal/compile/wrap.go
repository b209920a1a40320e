package compile

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// wrapRow maps single values to objects that contain them: each, with one row for the whole
// element.
func (b *builder) wrapRow(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	forms, inner, ok := b.sameForms(w, types)
	if !ok || b.leadsInto(w) {
		return false
	}
	whole := plan.Spoke
	if inner[plan.Spoke].Members != nil {
		whole = plan.Hub
	}
	objects := inner[whole.Other()]
	if inner[whole].Members != nil || objects.Members == nil && !objects.IsAny() {
		b.problem(w, "use each, with a row for every field", "wrap maps single values to objects: the elements of %s are of type %s, the elements of %s are of type %s",
			w.paths[plan.Spoke][0], inner[plan.Spoke].Describe(), w.paths[plan.Hub][0], inner[plan.Hub].Describe())
		return false
	}
	if objects.Member(w.Wrap) == nil {
		b.noField(w, w.Wrap, objects, whole.Other())
		return false
	}
	b.collect(r, &collection{
		forms: forms, lists: []rowList{{rows: []v1alpha1.Row{rowOfWhole(whole, w.Wrap)}, title: w.title + ", wrap ", implied: true}}, elements: inner, at: w.firstPaths(), w: w,
		keys: &listKeys{lists: types, w: w},
	})
	return true
}
