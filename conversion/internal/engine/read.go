package engine

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// read scans the source into frames.
func (c *conversion) read() (int32, error) {
	f := c.newFrame(c.job.Plan.Root, c.job.From)
	pos := c.scan.Space(0)
	if pos >= len(c.src) || c.src[pos] != '{' {
		return f, &ShapeError{Offset: pos, Reason: "the object is not a JSON object"}
	}
	end, err := c.readObject(f, 0, pos, 0)
	if err != nil {
		return f, err
	}
	c.choose(f)
	return f, c.scan.Trailing(end)
}

// readText reads a text that is known to be valid JSON into a node.
func (c *conversion) readText(f, id int32, text []byte) {
	c.readPart(f, id, text)
	c.choose(f)
}

// readPart is readText while other values of the frame are not yet read.
func (c *conversion) readPart(f, id int32, text []byte) {
	src, base := c.src, c.begins
	c.src, c.scan.Src, c.begins = text, text, c.offset(text)
	_, _ = c.readValue(f, id, 0, 0)
	c.src, c.scan.Src, c.begins = src, src, base
}

// offset returns where a text begins in the source, or none if it is not part of it.
func (c *conversion) offset(text []byte) int32 {
	at := cap(c.source) - cap(text)
	if at < 0 || at >= len(c.source) || len(text) == 0 || &c.source[at] != &text[0] {
		return none
	}
	return int32(at)
}

// readObject reads the container that opens at pos.
func (c *conversion) readObject(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	scope, side := fr.scope, fr.side
	node := &scope.Nodes[side][id]
	first, last, kept := none, none, none
	runStart, runEnd := -1, -1
	o := c.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			break
		}
		text := name.Bytes(c.src)
		if name.Escaped {
			text = c.unquotedName(text)
		}
		child := scope.Child(side, id, text)
		copied := child == none && !node.KeepUnknown
		if node.Annotations && copied {
			mine, end, err := c.readStash(text, o.Value)
			if err != nil {
				return pos, err
			}
			if mine {
				first, last = c.flush(first, last, runStart, runEnd)
				runStart, o.End = -1, end
				continue
			}
		}
		if copied {
			if o.End, err = c.scan.Value(o.Value, depth+1); err != nil {
				return pos, err
			}
			if runStart < 0 {
				runStart = int(name.Start) - 1
			}
			runEnd = o.End
			continue
		}
		first, last = c.flush(first, last, runStart, runEnd)
		runStart = -1
		if child != none {
			if o.End, err = c.readValue(f, child, o.Value, depth+1); err != nil {
				return pos, err
			}
			continue
		}
		if o.End, err = c.scan.Value(o.Value, depth+1); err != nil {
			return pos, err
		}
		c.unknowns = append(c.unknowns, unknown{name: c.src[name.Start-1 : name.End+1], value: c.src[o.Value:o.End], next: kept})
		kept = int32(len(c.unknowns) - 1)
	}
	first, last = c.flush(first, last, runStart, runEnd)
	for _, child := range node.Implied {
		if c.peek(f, child).state == absent {
			c.readPart(f, child, scope.Nodes[side][child].Schema.Whole)
		}
	}
	s := c.at(f, id)
	s.state, s.text = object, c.src[pos:o.End]
	s.first, s.last, s.kept = first, last, kept
	return o.End, nil
}

// flush ends a run of copied members.
func (c *conversion) flush(first, last int32, start, end int) (int32, int32) {
	if start < 0 {
		return first, last
	}
	c.runs = append(c.runs, run{text: c.src[start:end], next: none})
	id := int32(len(c.runs) - 1)
	if first == none {
		return id, id
	}
	c.runs[last].next = id
	return first, id
}

// readValue reads the value of a node.
func (c *conversion) readValue(f, id int32, pos, depth int) (int, error) {
	node := &c.nodes(f)[id]
	if pos < len(c.src) {
		form := c.form(f, node)
		switch open := c.src[pos]; {
		case open == '{' && node.Kind == plan.Container:
			return c.readObject(f, id, pos, depth)
		case open == '[' && node.Kind == plan.Parted && node.Parts.Choice == nil:
			return c.readParted(f, id, pos, depth)
		case open != 'n' && node.Kind == plan.Parted && node.Parts.Choice != nil && node.Parts.Choice.Alike:
			return c.readAlike(f, id, pos, depth)
		case open == '[' && form == plan.List:
			return c.readList(f, id, pos, depth)
		case open == '{' && form == plan.Dict:
			return c.readDict(f, id, pos, depth)
		case open != 'n' && form == plan.One:
			return c.readOne(f, id, pos, depth)
		}
	}
	end, err := c.scan.Value(pos, depth)
	if err != nil {
		return pos, err
	}
	c.workOn(c.src[pos:end])
	s := c.at(f, id)
	s.state, s.text = raw, c.src[pos:end]
	if c.inMetadata(f, id) && s.text[0] != 'n' {
		return pos, &ShapeError{Offset: pos, Reason: node.Name + " is not an object"}
	}
	return end, nil
}

// inMetadata reports whether a container is metadata, its labels or annotations.
func (c *conversion) inMetadata(f, id int32) bool {
	if f != 0 && c.frames[f].scope != c.frames[0].scope {
		return false
	}
	nodes := c.nodes(f)
	n := &nodes[id]
	if n.Kind != plan.Container || n.Parent == none {
		return false
	}
	if n.Parent != 0 {
		n = &nodes[n.Parent]
	}
	return n.Parent == 0 && n.Name == "metadata"
}

// form returns how a node holds the elements of its row.
func (c *conversion) form(f int32, node *plan.Node) plan.Form {
	if node.Kind != plan.Operand || node.Row == none {
		return plan.NoForm
	}
	fr := c.frames[f]
	return fr.scope.Rows[node.Row].Forms[fr.side]
}

// readElement reads an element into its frame.
func (c *conversion) readElement(e int32, pos, depth int) (int, error) {
	if c.begins != none {
		c.frames[e].from = c.begins + int32(pos)
	}
	end, err := c.readValue(e, 0, pos, depth)
	if err == nil {
		c.choose(e)
	}
	return end, err
}

// readOne reads a single element.
func (c *conversion) readOne(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	e := c.newFrame(fr.scope.Rows[fr.scope.Nodes[fr.side][id].Row].Elements, fr.side)
	c.link(f, id, e)
	end, err := c.readElement(e, pos, depth)
	if err != nil {
		return pos, err
	}
	s := c.at(f, id)
	s.state, s.text = list, c.src[pos:end]
	return end, nil
}

func (c *conversion) readList(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	side := fr.side
	elements := fr.scope.Rows[fr.scope.Nodes[side][id].Row].Elements
	a := c.scan.Array(pos)
	for {
		ok, err := a.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			break
		}
		e := c.newFrame(elements, side)
		c.link(f, id, e)
		if a.End, err = c.readElement(e, a.Value, depth+1); err != nil {
			return pos, err
		}
	}
	s := c.at(f, id)
	s.state, s.text = list, c.src[pos:a.End]
	return a.End, nil
}

func (c *conversion) readDict(f, id int32, pos, depth int) (int, error) {
	fr := c.frames[f]
	side := fr.side
	elements := fr.scope.Rows[fr.scope.Nodes[side][id].Row].Elements
	o := c.scan.Object(pos)
	for {
		name, ok, err := o.Next()
		if err != nil {
			return pos, err
		}
		if !ok {
			break
		}
		e := c.newFrame(elements, side)
		c.frames[e].name = c.src[name.Start-1 : name.End+1]
		c.link(f, id, e)
		if o.End, err = c.readElement(e, o.Value, depth+1); err != nil {
			return pos, err
		}
	}
	s := c.at(f, id)
	s.state, s.text = list, c.src[pos:o.End]
	return o.End, nil
}

// readStash reads an annotation. If it is a stash of one of the two versions, it is given to the
// caller of the engine.
func (c *conversion) readStash(name []byte, pos int) (mine bool, end int, err error) {
	incomplete := string(name) == stash.Incomplete
	owner, ok := stash.Owner(name)
	versions := &c.job.Plan.Versions
	isTarget := ok && string(owner) == versions[c.job.From.Other()]
	if isSource := ok && string(owner) == versions[c.job.From]; !incomplete && !isTarget && !isSource {
		return false, 0, nil
	}
	if end, err = c.scan.Value(pos, 3); err != nil {
		return true, end, err
	}
	isText := c.src[pos] == '"'
	switch {
	case isTarget && !isText:
		c.making.Ignored++
	case !isText:
	case incomplete:
		c.making.AddMark(jsontext.Unquote(nil, c.src[pos+1:end-1]), *versions)
	case isTarget:
		recordStash(c.making, &c.making.Stashes, name, c.src[pos+1:end-1])
	default:
		recordStash(c.making, &c.making.Own, name, c.src[pos+1:end-1])
	}
	return true, end, nil
}

// unquotedName returns the text of a quoted name, in scratch.
func (c *conversion) unquotedName(inside []byte) []byte {
	start := len(c.scratch)
	c.scratch = jsontext.Unquote(c.scratch, inside)
	return c.scratch[start:]
}

// unquote returns the text of a JSON string, given without its quotes.
func unquote(inside []byte) []byte {
	return jsontext.Unquote([]byte{}, inside)
}
