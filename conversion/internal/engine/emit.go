package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// emit appends the value of a node.
func (c *conversion) emit(dst []byte, g, id int32) []byte {
	s := c.peek(g, id)
	switch s.state {
	case raw:
		return append(dst, s.text...)
	case object:
		return c.emitObject(dst, g, id)
	case list:
		return c.emitList(dst, g, id)
	case parted:
		return c.emitParted(dst, g, id)
	}
	return append(dst, "null"...)
}

func (c *conversion) emitObject(dst []byte, g, id int32) []byte {
	nodes := c.nodes(g)
	n := &nodes[id]
	s := c.peek(g, id)
	dst = append(dst, '{')
	open := len(dst)
	if c.isRoot(g) && id == 0 {
		dst = append(dst, `"apiVersion":`...)
		dst = append(dst, c.job.APIVersion...)
	}
	for r := s.first; r != none; r = c.runs[r].next {
		dst = comma(dst, open)
		dst = append(dst, c.runs[r].text...)
	}
	for u := s.kept; u != none; u = c.unknowns[u].next {
		dst = comma(dst, open)
		dst = append(dst, c.unknowns[u].name...)
		dst = append(dst, ':')
		dst = append(dst, c.unknowns[u].value...)
	}
	for _, child := range n.Children {
		if nodes[child].Kind == plan.APIVersion || !c.peek(g, child).present() {
			continue
		}
		dst = comma(dst, open)
		dst = append(dst, nodes[child].Quoted...)
		dst = c.emit(dst, g, child)
	}
	return append(dst, '}')
}

func (c *conversion) emitList(dst []byte, g, id int32) []byte {
	form := c.form(g, &c.nodes(g)[id])
	if form == plan.One {
		c.emitsFrom(len(dst), c.peek(g, id).first)
		return c.emit(dst, c.peek(g, id).first, 0)
	}
	dict := form == plan.Dict
	brackets := "[]"
	if dict {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	open := len(dst)
	for e := c.peek(g, id).first; e != none; e = c.frames[e].next {
		c.caller.Work(c.workOf(e))
		if dict && !c.peek(e, 0).present() {
			continue
		}
		dst = comma(dst, open)
		if dict {
			dst = append(dst, c.frames[e].name...)
			dst = append(dst, ':')
		}
		c.emitsFrom(len(dst), e)
		dst = c.emit(dst, e, 0)
	}
	return append(dst, brackets[1])
}

func comma(dst []byte, open int) []byte {
	if len(dst) > open {
		return append(dst, ',')
	}
	return dst
}

func (c *conversion) isRoot(g int32) bool { return c.frames[g].scope == c.job.Plan.Root }

// tidyMetadata removes maps that are empty, and that exist only because of stashes or rows.
func (c *conversion) tidyMetadata(source, target int32) {
	nodes := c.nodes(target)
	empty := func(id int32) bool {
		s := c.peek(target, id)
		if s.state != object || s.first != none || s.kept != none {
			return false
		}
		for _, child := range nodes[id].Children {
			if c.peek(target, child).present() {
				return false
			}
		}
		// An empty map of the source is copied.
		live := c.peek(source, nodes[id].Twin)
		return live.state != object || len(live.text) > 2
	}
	for _, id := range nodes[plan.Metadata].Children {
		if nodes[id].Kind == plan.Container && empty(id) {
			c.at(target, id).state = absent
		}
	}
	if empty(plan.Metadata) {
		c.at(target, plan.Metadata).state = absent
	}
}
