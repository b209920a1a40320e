package engine

import (
	"cmp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/graft"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// graftsAt are what is to be filled in at slots, where the plan looks no further.
type graftsAt map[slotAt]*graft.Tree

type slotAt struct{ frame, node int32 }

func (all graftsAt) at(f, node int32) *graft.Tree {
	to := all[slotAt{f, node}]
	if to == nil {
		to = &graft.Tree{}
		all[slotAt{f, node}] = to
	}
	return to
}

func (all graftsAt) fill(f, node int32, at []stash.Step, value []byte) {
	all.at(f, node).Fill(at, value)
}

// graft fills everything in.
func (c *conversion) graft(all graftsAt) {
	var places []slotAt
	for at := range all {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b slotAt) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.node, b.node))
	})
	for _, at := range places {
		t, n, s := all[at], &c.nodes(at.frame)[at.node], c.at(at.frame, at.node)
		switch {
		case n.Kind == plan.Container:
			c.graftMembers(at, t)
		case s.state == raw:
			s.text = t.Into(s.text, n.Schema)
		case s.state == list && c.form(at.frame, n) == plan.Dict:
			t.New(n.Schema, func(name []byte) bool {
				return c.element(at.frame, at.node, nil, stash.Step{Name: name}) != none
			}, func(name, value []byte) { c.addValue(at.frame, at.node, name, value) })
		case s.state == absent:
			if text := t.Made(n.Schema); text != nil && c.canFill(at.frame, at.node, text) {
				s.state, s.text, s.restored = raw, text, false
			}
		}
	}
}

// graftMembers fills in members of a container that are copied, or kept though no
// schema names them.
func (c *conversion) graftMembers(at slotAt, t *graft.Tree) {
	s := c.at(at.frame, at.node)
	of := c.nodes(at.frame)[at.node].Schema
	if s.state != object {
		if s.state == raw || at.node == 0 || t.Made(of) == nil || !c.canFill(at.frame, at.node, nil) {
			return
		}
		*s = nothing
		s.state = object
	}
	there := map[string]bool{}
	for r := s.first; r != none; r = c.runs[r].next {
		var text []byte
		graft.Members(slices.Concat([]byte{'{'}, c.runs[r].text, []byte{'}'}), func(name, value []byte) {
			there[string(name)] = true
			if in := t.Member(name); in != nil {
				value = in.Into(value, of.Member(string(name)))
			}
			text = append(append(jsontext.Quote(comma(text, 0), name), ':'), value...)
		})
		c.runs[r].text = text
	}
	for u := s.kept; u != none; u = c.unknowns[u].next {
		name := c.unknowns[u].name
		there[string(unquote(name[1:len(name)-1]))] = true
	}
	t.New(of, func(name []byte) bool { return there[string(name)] }, func(name, value []byte) {
		c.unknowns = append(c.unknowns, unknown{name: jsontext.Quote(nil, name), value: value, next: s.kept})
		s.kept = int32(len(c.unknowns) - 1)
	})
}
