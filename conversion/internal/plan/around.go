package plan

import (
	"bytes"
	"slices"
)

// An object that only one version has, and whose absence stands for a default, comes to
// stand with the first place in it that a row writes. What else its default says goes
// on to hold then, though the API server has nothing more to fill in.

// keepsAround fills a place that only one version has, or an object of such places, with
// what the default of an object around says of it.
func (s *Scope) keepsAround(side Side, id int32) {
	n := &s.Nodes[side][id]
	switch {
	case n.Kind == Keep && s.isSaidAround(side, id):
		n.Fill, n.FillIsDefault, n.FromAround = s.saidAround(side, id), false, true
	case n.Kind == Container && n.Fill == nil && s.isMadeAround(side, id):
		n.Fill, n.ForConstant, n.FromAround = []byte("{}"), true, true
	}
}

// isSaidAround reports whether the default of an object around says more of a place than
// its own. A constant of the table says what it is in any case.
func (s *Scope) isSaidAround(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	said := s.saidAround(side, id)
	return n.Kind == Keep && said != nil && (n.Fill == nil || n.FillIsDefault) && !bytes.Equal(said, n.Schema.Default)
}

// isMadeAround reports whether an object in one with a default is there because of places
// in it that this says something of.
func (s *Scope) isMadeAround(side Side, id int32) bool {
	n := &s.Nodes[side][id]
	if n.Kind != Container || n.Twin != None || n.Schema.Default != nil || s.saidAround(side, id) == nil {
		return false
	}
	return slices.ContainsFunc(n.Children, func(child int32) bool {
		return s.isSaidAround(side, child) || s.isMadeAround(side, child)
	})
}

// saidAround is what the default of the innermost object around that has one says of a
// place, in canonical form, as long as only one version has that object.
func (s *Scope) saidAround(side Side, id int32) []byte {
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
					text = memberOf(text, name)
				} else {
					text = nil
				}
			}
			return text
		}
	}
	return nil
}
