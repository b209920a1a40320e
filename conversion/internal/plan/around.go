package plan

import (
	"bytes"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An object that only one version has may have a default. When a row writes the first field in it, the
// conversion makes the object, and the API server no longer fills in the default. So the conversion writes
// the rest of the default itself.

// fillFromAround sets the Fill of a field that only one version has, or of an object of such fields, to what
// the default of an object around it has there.
func (s *Scope) fillFromAround(side Side, id int32) {
	n := &s.Nodes[side][id]
	switch {
	case n.Kind == Keep && s.hasDefaultAround(side, id):
		n.Fill, n.FillIsDefault, n.FromAround = s.defaultAround(side, id), false, true
	case n.Kind == Container && n.Fill == nil && s.isMadeAround(side, id):
		n.Fill, n.ForConstant, n.FromAround = []byte("{}"), true, true
	}
}

// hasDefaultAround reports whether the default of an object around a field has another value there than the field's
// own default. A constant of the table takes precedence over both.
func (s *Scope) hasDefaultAround(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	value := s.defaultAround(side, id)
	return n.Kind == Keep && value != nil && (n.Fill == nil || n.FillIsDefault) && !bytes.Equal(value, n.Schema.Default)
}

// isMadeAround reports whether an object without a default has fields to which the default of an object
// around it gives values.
func (s *Scope) isMadeAround(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	if n.Kind != Container || n.Twin != None || n.Schema.Default != nil || s.defaultAround(side, id) == nil {
		return false
	}
	return slices.ContainsFunc(n.Children, func(child int32) bool {
		return s.hasDefaultAround(side, child) || s.isMadeAround(side, child)
	})
}

// defaultAround returns what the default of the innermost object around a field has there, in canonical form. It
// returns nil if both versions have that object.
func (s *Scope) defaultAround(side Side, id int32) []byte {
	nodes := s.Nodes[side]
	var names []string
	for at := id; nodes[at].Parent != None; {
		names = append(names, nodes[at].Name)
		at = nodes[at].Parent
		if nodes[at].Kind != Container || nodes[at].Twin != None {
			return nil
		}
		if text := nodes[at].Schema.Default; text != nil {
			for _, name := range slices.Backward(names) {
				if len(text) > 0 && text[0] == '{' {
					text = jsontext.Member(text, name)
				} else {
					text = nil
				}
			}
			return text
		}
	}
	return nil
}
