package reference

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

func onlyTied(v *tree.Value, at tree.Path, claimed map[string]bool) bool {
	for _, m := range v.Members {
		if p := at.Name(m.Name); !claimed[p.String()] && (m.Value.Kind != tree.Object || len(m.Value.Members) == 0 || !onlyTied(m.Value, p, claimed)) {
			return false
		}
	}
	return true
}

// mustMakeAround reports whether missing objects around a field that only one version has must be
// present.
func mustMakeAround(v *tree.Value, p tree.Path, from, to *schema) bool {
	for i, step := range p {
		switch next := v.Get(step.Name); {
		case v == nil || v.Kind != tree.Object:
			return false
		case next != nil:
			v = next
		case at(from, p[:i+1]).Type == "object" || !slices.Contains(at(to, p[:i]).Required, step.Name):
			return false
		default:
			v = tree.NewObject()
		}
	}
	return true
}

// copyShared copies the fields that both schemas have at the same path and no row claims.
func (s side) copyShared(v *tree.Value, from, to *schema, at tree.Path, claimed map[string]bool) *tree.Value {
	switch {
	case v.Kind == tree.Null && !nullable(to):
		return nil
	case v.Kind == tree.Object && holdsMembers(from) && holdsMembers(to):
		out := tree.NewObject()
		for _, m := range v.Members {
			p := at.Name(m.Name)
			if claimed[p.String()] {
				continue
			}
			mine, known := from.Properties[m.Name]
			theirs, knownThere := to.Properties[m.Name]
			var value *tree.Value
			switch {
			case known && knownThere:
				value = s.copyShared(m.Value, &mine, &theirs, p, claimed)
			case known || knownThere:
			case from.AdditionalProperties != nil && to.AdditionalProperties != nil:
				value = s.copyShared(m.Value, from.AdditionalProperties.Schema, to.AdditionalProperties.Schema, p, claimed)
			case preserves(from) && preserves(to):
				value = m.Value.Clone()
			}
			if value != nil {
				out.Members = append(out.Members, tree.Member{Name: m.Name, Value: value})
			}
		}
		return out
	case v.Kind == tree.List && from.Type == "array" && to.Type == "array":
		out := tree.NewList()
		for _, item := range v.Items {
			value := s.copyShared(item, from.Items.Schema, to.Items.Schema, nil, nil)
			if value == nil {
				s.c.unclear = true
				continue
			}
			out.Items = append(out.Items, value)
		}
		return out
	}
	return v.Clone()
}

// within reports whether the innermost object around a field that both versions have at the same
// path is present. An object that only one version has is present only with what is in it, so its
// absence has no meaning.
func (s side) within(v *tree.Value, p tree.Path, from, to *schema) bool {
	if len(p) > 1 && p[0].Name == "metadata" {
		return true // the other field of the row decides
	}
	for n := len(p) - 1; n > 0; n-- {
		around := v.At(p[:n])
		if at(from, p[:n]).Type == "object" && at(to, p[:n]).Type == "object" {
			return around != nil && around.Kind == tree.Object
		}
	}
	return true
}
