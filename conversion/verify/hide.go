package verify

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// hidden replaces a sensitive text in reports.
const hidden = "(sensitive)"

// hide replaces the values of sensitive fields of a real object before it is converted, so that
// everything can be printed. Rows of such fields are exact, so any value tests them as well as the
// real one. The same value elsewhere is replaced, too: in another version's field, or in an
// annotation with the applied object.
func (s *Subject) hide(v *tree.Value, version string) *tree.Value {
	texts := map[string]bool{}
	for _, to := range s.Versions() {
		view := v
		if to != version {
			out, problem := s.convert(s.converter, v.Append(nil), to)
			if problem != "" {
				continue // it is reported by the laws
			}
			view, _ = tree.Parse(out)
		}
		for _, at := range s.sensitive(view, to) {
			at.Walk(func(_ tree.Path, v *tree.Value) {
				if (v.Kind == tree.String || v.Kind == tree.Number) && v.Text != "" {
					texts[v.Text] = true
				}
			})
		}
	}
	v = v.Clone()
	for _, at := range s.sensitive(v, version) {
		mask(at, func(string) bool { return true })
	}
	for _, m := range v.Members {
		switch m.Name {
		case "apiVersion", "kind":
		case "metadata":
			hideIn(m.Value.Get("annotations"), texts)
		default:
			mask(m.Value, func(text string) bool { return texts[text] })
		}
	}
	return v
}

// sensitive returns the values of the fields that a row marks as sensitive.
func (s *Subject) sensitive(v *tree.Value, version string) []*tree.Value {
	var out []*tree.Value
	for i := range s.expanded.Spec.Versions {
		table := &s.expanded.Spec.Versions[i]
		if version == table.Name || version == s.Table.Spec.Hub {
			eachPlace(listedRows(table, "", table.Rows), version, v, func(r listedRow, at *tree.Value) {
				if r.row.Sensitive {
					out = append(out, at)
				}
			})
		}
	}
	return out
}

// mask replaces the texts and numbers in a value.
func mask(v *tree.Value, which func(text string) bool) {
	v.Walk(func(_ tree.Path, v *tree.Value) {
		switch {
		case v.Kind == tree.String && which(v.Text):
			v.Text = hidden
		case v.Kind == tree.Number && which(v.Text):
			v.Text = "0"
		}
	})
}

// hideIn replaces annotations that contain one of the texts, as it is or in JSON, where it may be
// escaped.
func hideIn(annotations *tree.Value, texts map[string]bool) {
	if annotations == nil {
		return
	}
	for _, m := range annotations.Members {
		found := false
		inside, _ := tree.Parse([]byte(m.Value.Text))
		inside.Walk(func(_ tree.Path, v *tree.Value) { found = found || texts[v.Text] })
		for text := range texts {
			found = found || strings.Contains(m.Value.Text, text)
		}
		if found {
			m.Value.Text = hidden
		}
	}
}
