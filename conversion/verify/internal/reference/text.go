package reference

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// text returns the data that a string holds, or the string of data.
func (s side) text(format v1alpha1.Format, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	if from.Type != "string" {
		if value.Kind == tree.Null {
			return nil, false
		}
		bare := s.sparse(value, from)
		if !s.fits(from, bare) {
			return nil, false
		}
		sorted(bare)
		if format == v1alpha1.FormatJSON {
			return tree.NewString(bare.String()), true
		}
		node, err := manifest.Parse(manifest.Document{Text: bare.Append(nil)}, manifest.JSON)
		if err != nil {
			return nil, false
		}
		text, err := node.AppendYAML(nil)
		if strings.ContainsFunc(value.String(), func(r rune) bool { return r > '~' }) {
			s.c.unclear = true // not every character can be written
		}
		return tree.NewString(string(text)), err == nil
	}
	if value.Kind != tree.String {
		return nil, false
	}
	data := []byte(value.Text)
	if format == v1alpha1.FormatYAML {
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		var first, second yaml.Node
		if decoder.Decode(&first) == nil && decoder.Decode(&second) == nil {
			s.c.unclear = true // whether a second document says something
			return nil, false
		}
		node, err := manifest.Parse(manifest.Document{Text: data}, manifest.YAML)
		if err != nil || node == nil {
			return nil, false
		}
		data = node.AppendJSON(nil)
	}
	parsed, err := tree.Parse(data)
	if err != nil || parsed.Kind == tree.Null {
		return nil, false // null says nothing
	}
	parsed.Normalise()
	pruned := s.shared(parsed, to, to, nil, nil)
	return pruned, pruned != nil && s.fits(to, pruned)
}

// sparse returns a value without what holds its default, and without nulls that may not stand
// there.
func (s side) sparse(v *tree.Value, of *schema) *tree.Value {
	out := v.Clone()
	out.Normalise()
	out.Members = slices.DeleteFunc(out.Members, func(m tree.Member) bool {
		p, known := of.Properties[m.Name]
		return known && (p.Default != nil && string(p.Default.Raw) == m.Value.String() || m.Value.Kind == tree.Null && !p.Nullable)
	})
	for i, m := range out.Members {
		if p, known := of.Properties[m.Name]; known {
			out.Members[i].Value = s.sparse(m.Value, &p)
		}
	}
	return out
}

// fits reports whether a value and all that is in it is of the types of a schema.
func (s side) fits(of *schema, v *tree.Value) bool {
	if of == nil || of.Type == "" && !of.XIntOrString {
		return true
	}
	if !holds(of, v) {
		return false
	}
	for _, item := range v.Items {
		if of.Items == nil || !s.fits(of.Items.Schema, item) {
			return false
		}
	}
	for _, m := range v.Members {
		p, known := of.Properties[m.Name]
		switch {
		case known:
			if !s.fits(&p, m.Value) {
				return false
			}
		case of.AdditionalProperties != nil:
			if !s.fits(of.AdditionalProperties.Schema, m.Value) {
				return false
			}
		}
	}
	return true
}

// sorted sorts the members of objects, all the way down.
func sorted(v *tree.Value) {
	slices.SortFunc(v.Members, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range v.Members {
		sorted(m.Value)
	}
	for _, item := range v.Items {
		sorted(item)
	}
}
