package engine

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An element without a key is made up again for each list that it is in, to tell it from
// the others there, so that lists in lists thousands of levels deep would be work without
// end. What is kept in an element that has no address for that is left out, as what does
// not fit.
const (
	// maxLevels is how many lists of elements without a key may be in each other.
	maxLevels = 64
	// maxContents is how many bytes of elements without a key are made up while the
	// source is checked.
	maxContents = 64 << 20
)

// way is the way to the frame that is being checked.
func (c *conversion) way() (at []stash.Step) {
	for _, s := range c.path {
		at = c.addressed(c.names(at, s.frame, s.node), s)
	}
	return at
}

// addressed is a way with the address of an element. What a value is read as has none: it
// is the value, and the name of the part says which alternative it is.
func (c *conversion) addressed(at []stash.Step, s step) []stash.Step {
	if c.isChosen(s.frame, s.node) {
		return at
	}
	return append(at, c.address(at, s))
}

// levels is how many lists of elements without a key an address leads through.
func levels(at []stash.Step) (n int) {
	for _, s := range at {
		if s.Content != nil {
			n++
		}
	}
	return n
}

// address says which element a step of the source leads to, behind others.
func (c *conversion) address(at []stash.Step, s step) stash.Step {
	if name := c.frames[s.element].name; name != nil {
		return stash.Step{Name: unquote(name[1 : len(name)-1])}
	}
	if c.alone(s.frame, s.node) {
		return stash.Step{Name: []byte{}}
	}
	first := c.peek(s.frame, s.node).first
	if !c.identity(first).addressed {
		c.setKeys(first)
	}
	if e := c.identity(s.element); e.key != nil && !e.ambiguous {
		s := stash.Step{Key: e.key}
		if !bytes.Equal(e.there, e.key) {
			s.There = e.there
		}
		return s
	}
	if c.identity(first).content == nil {
		c.setContents(first, levels(at), maxContents)
	}
	e := c.identity(s.element)
	if len(e.content) == 0 {
		c.unaddressed = true
	}
	return stash.Step{Content: e.content, Nth: e.nth, Live: slices.Concat(e.live, e.leftOut)}
}

// canAddress reports whether all elements that are being checked have addresses, as far as
// that is known.
func (c *conversion) canAddress() bool {
	deep := 0
	return !slices.ContainsFunc(c.path, func(s step) bool {
		e, first := c.identity(s.element), c.identity(c.peek(s.frame, s.node).first)
		if c.frames[s.element].name != nil || !first.addressed || e.key != nil && !e.ambiguous || c.isChosen(s.frame, s.node) || c.alone(s.frame, s.node) {
			return false
		}
		deep++
		return deep > maxLevels || first.content != nil && len(e.content) == 0
	})
}

// alone reports whether only one element of a place is ever shown on the other
// side, or there is only one: it needs no address.
func (c *conversion) alone(f, node int32) bool {
	r := &c.frames[f].scope.Rows[c.nodes(f)[node].Row]
	return r.Forms[plan.Spoke] == plan.One || r.Forms[plan.Hub] == plan.One
}

// madeUp is what an element is made up as to tell it from others, for the next one to be
// written over: as it stands, without what some table drops, as rows produce it, and what
// is hashed of it.
type madeUp struct{ stands, undropped, produced, hashed []byte }

// setContents sets what tells elements without a key apart, as long as nobody changes it:
// their content, what the other version has of them, and how many before them are equal.
// They have none if they are deeper in lists of such elements than they may be, or once
// more than so many bytes have been made up in a conversion.
func (c *conversion) setContents(first int32, level, most int) {
	t := c.madeUp
	c.madeUp = madeUp{}                  // to make one up may lead here again
	c.identify(first).content = []byte{} // set, even if the first has no counterpart
	if level >= maxLevels {
		return
	}
	count := map[string]int{}
	for e := first; e != none && c.contents <= most; e = c.frames[e].next {
		mate := c.frames[e].mate
		if mate == none {
			continue
		}
		leftOut := c.undropped(&t, mate)
		live := t.hash(c.texts(), t.undropped, c.nodes(mate)[0].Schema)[:12]
		c.produced(&t, mate)
		of := c.identify(e)
		of.live = strconv.AppendInt(live, int64(count[string(live)]), 10)
		of.leftOut = leftOut
		count[string(live)]++
		of.content = t.hash(c.texts(), t.produced, c.nodes(e)[0].Schema)
		of.nth = count[string(of.content)]
		count[string(of.content)]++
		c.contents += len(t.stands) + len(t.undropped) + len(t.produced)
	}
	c.madeUp = t
}

// undropped makes up an element as it stands, and that without what some table drops,
// since it may be gone after a trip that changed nothing else. leftOut says what that was,
// as in an address.
func (c *conversion) undropped(t *madeUp, f int32) (leftOut []byte) {
	of := c.nodes(f)[0].Schema
	var dropped []*schema.Schema
	t.stands = c.emit(t.stands[:0], f, 0)
	t.undropped, dropped = c.texts().LeavingOut(t.undropped[:0], t.stands, of)
	if len(dropped) > 0 {
		for place, id := range placesIn(of) {
			if slices.Contains(dropped, place) {
				leftOut = append(leftOut, id...)
			}
		}
	}
	return leftOut
}

// produced makes up an element as the rows produce it: what its counterpart f gives without
// any stash, and without what some table drops. Defaults that are written out make no
// difference.
func (c *conversion) produced(t *madeUp, f int32) {
	scope, side, name := c.frames[f].scope, c.frames[f].side, c.frames[f].name
	defer c.forget(c.height())
	f = c.newFrame(scope, side)
	c.frames[f].name = name
	c.readText(f, 0, t.undropped)
	g := c.forward(f)
	c.settle(g)
	t.produced = c.emit(t.produced[:0], g, 0)
}

// hash is that of the content of a text.
func (t *madeUp) hash(w schema.Writer, text []byte, of *schema.Schema) []byte {
	t.hashed = w.Content(t.hashed[:0], text, of)
	return hash(t.hashed)
}

// element finds the element of a list or map in the target that a step leads
// to, among the elements as the rows produced them. list is the way to the list.
func (c *conversion) element(g, node int32, list []stash.Step, s stash.Step) int32 {
	first := c.peek(g, node).first
	if first != none && c.alone(g, node) {
		if !c.earlier && (s.Name == nil || len(s.Name) > 0) {
			return none // this table writes no such address of what stands alone
		}
		return first
	}
	if first == none || (s.Name != nil) != (c.frames[first].name != nil) {
		return none
	}
	index := c.indexes[first]
	if index == nil {
		index = c.index(first)
		if c.indexes == nil {
			c.indexes = map[int32]map[string]int32{}
		}
		c.indexes[first] = index
	}
	if c.identity(first).content == nil && (s.Content != nil || s.Key != nil && c.spokenForAny(list)) {
		c.setContents(first, levels(list), 2*maxContents) // all to which an entry may lead
		for e := first; e != none; e = c.frames[e].next {
			of := c.identity(e)
			index[indexKey(stash.Step{Content: of.content, Nth: of.nth})] = e
			index["live "+string(of.live)] = e
		}
	}
	if s.Key != nil {
		return c.elementByKey(first, list, s)
	}
	if live, leftOut := s.Counted(); live != nil {
		// What the other version has of an element says more than what the rows make
		// of it: elements that are equal here need not be there.
		e, ok := index["live "+string(live)]
		if ok && c.earlier && !bytes.Equal(c.identity(e).leftOut, leftOut) {
			// It is not what some table of before left out of the element that counts.
			if other := c.earlierContent(first, list, s); other != none {
				return other
			}
		}
		if ok {
			return e
		}
	}
	if e, ok := index[indexKey(s)]; ok && !c.spokenFor(list, e, s) {
		return e
	}
	if c.earlier && s.Live != nil {
		return c.earlierContent(first, list, s)
	}
	return none
}

// index maps the names or keys of the elements of a map or list to their
// frames. Of several with one key, the first is the one that was there, or the first
// that has it other than by a default.
func (c *conversion) index(first int32) map[string]int32 {
	isMap := c.frames[first].name != nil
	if !isMap {
		c.setKeys(first)
	}
	index := map[string]int32{}
	add := func(key string, e int32, there bool) {
		if other, ok := index[key]; !ok || !isMap && c.hasKey(e, there) && !c.hasKey(other, there) {
			index[key] = e
		}
	}
	for e := first; e != none; e = c.frames[e].next {
		c.caller.Work(1)
		of := c.identity(e)
		key := stash.Step{Key: of.key}
		if isMap {
			name := c.frames[e].name
			key = stash.Step{Name: unquote(name[1 : len(name)-1])}
		}
		if isMap || of.key != nil {
			add(indexKey(key), e, false)
		}
		if of.there != nil {
			add(thereIndex+string(of.there), e, true)
		}
	}
	return index
}

func indexKey(s stash.Step) string {
	switch {
	case s.Name != nil:
		return string(s.Name)
	case s.Key != nil:
		return string(s.Key)
	}
	return string(s.Content) + "#" + strconv.Itoa(s.Nth)
}

func unquote(inside []byte) []byte {
	return jsontext.Unquote([]byte{}, inside)
}
