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

// text converts between a string and the data in it.
func (s side) text(format v1alpha1.Format, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	if from.Type != "string" {
		if value.Kind == tree.Null {
			return nil, false
		}
		bare := s.sparse(value, from)
		if !s.fits(from, bare) {
			return nil, false
		}
		sortMembers(bare)
		if format == v1alpha1.FormatJSON {
			return tree.NewString(bare.String()), true
		}
		node, err := manifest.Parse(manifest.Document{Text: bare.Append(nil)}, manifest.JSON)
		if err != nil {
			return nil, false
		}
		text, err := node.AppendYAML(nil)
		if strings.ContainsFunc(value.String(), func(r rune) bool { return r > '~' }) {
			s.c.unclear = true // some characters can't be written
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
			s.c.unclear = true // a second document may be ignored
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
		return nil, false // null is no data
	}
	parsed.Normalise()
	pruned := s.copyShared(parsed, to, to, nil, nil)
	return pruned, pruned != nil && s.fits(to, pruned)
}

// sparse returns a value without fields that have their default, and without nulls that are not
// allowed.
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

// fits reports whether a value, with everything inside, is of the types of a schema.
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

// sortMembers sorts the members of objects, at every depth.
func sortMembers(v *tree.Value) {
	slices.SortFunc(v.Members, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range v.Members {
		sortMembers(m.Value)
	}
	for _, item := range v.Items {
		sortMembers(item)
	}
}
