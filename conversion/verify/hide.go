package verify

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// hidden is what stands in reports for a text that is sensitive.
const hidden = "(sensitive)"

// hide puts other values into the places of a real object that a table calls
// sensitive, before anything is done with it: what is judged may be printed. Rows
// of such places are exact, so any value shows as much as the real one. What has one
// of these values elsewhere loses it, too: the same place in another version, or an
// annotation in which a client keeps what it applied.
func (s *Subject) hide(v *tree.Value, version string) *tree.Value {
	texts := map[string]bool{}
	for _, to := range s.Versions() {
		view := v
		if to != version {
			out, problem := s.convert(s.converter, v.Append(nil), to)
			if problem != "" {
				continue // it is reported where it is judged
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

// sensitive are the values of the places that some row calls sensitive.
func (s *Subject) sensitive(v *tree.Value, version string) []*tree.Value {
	var out []*tree.Value
	for i := range s.expanded.Spec.Versions {
		table := &s.expanded.Spec.Versions[i]
		if version == table.Name || version == s.Table.Spec.Hub {
			eachPlace(listedRows(table, "", table.Rows), version, v, func(r listed, at *tree.Value) {
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

// hideIn replaces the annotations that hold one of the texts, as they are or within
// JSON, where they may be escaped.
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
