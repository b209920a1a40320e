package engine

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// An element without a key is known by its content, and what belongs to that is for the
// tables and the schemas of all versions to say: a place that one of them drops does
// not, and neither does one that holds its default. Where they have changed, the content
// of an element that nobody has edited is another one. An address says which dropped
// places its element had; of defaults it says nothing.

// maxCounted bounds in how many ways the content of a list's elements is made up. How much is
// made up and read for that in one conversion mayCount bounds: nobody may make this endless
// work.
const (
	maxCounted   = 256
	leastToCount = 256 << 10
	mostToCount  = 4 << 20
	// bytesOfCount is for how many bytes that are read an element counts, however short its
	// content is.
	bytesOfCount = 32
)

// mayCount reports whether more may be made up to find elements of an earlier table: as much as
// twice the object, and for small ones what a few milliseconds are enough for.
func (c *conversion) mayCount() bool {
	return c.counted < min(max(leastToCount, 2*len(c.src)), mostToCount)
}

// contested marks what two elements of a list would be, each in another way.
const contested = none - 1

// earlierContent finds an element by what the other version had of it by another table:
// without what that left out, or else without one place more.
func (c *conversion) earlierContent(first int32, list []stash.Step, s stash.Step) int32 {
	live, leftOut := s.Counted()
	mate := c.frames[first].mate
	if mate == none {
		return none
	}
	of := c.frames[mate].scope.Nodes[c.frames[mate].side][0].Schema
	exactly := func() []counting { return c.without(of, leftOut)[:1] }
	if e := c.countedAs("left out"+string(leftOut)+" ", first, live, exactly); e != none {
		return c.unlessSpokenFor(list, e, s)
	}
	butOne := func() []counting { return c.without(of, leftOut)[1:] }
	if e := c.countedAs("but one"+string(leftOut)+" ", first, live, butOne); e != none {
		return c.unlessSpokenFor(list, e, s)
	}
	return none
}

func (c *conversion) unlessSpokenFor(list []stash.Step, e int32, s stash.Step) int32 {
	if e == contested || c.spokenFor(list, e, s) {
		return none
	}
	return e
}

// countedAs finds the element of a list that would be live in one of some ways to make
// up contents. kind tells the ways apart.
func (c *conversion) countedAs(kind string, first int32, live []byte, ways func() []counting) int32 {
	index := c.indexes[first]
	if _, done := index[kind]; !done && c.mayCount() {
		index[kind] = none
		c.count(first, ways(), func(e int32, live []byte) {
			if other, known := index[kind+string(live)]; known && other != e {
				e = contested
			}
			index[kind+string(live)] = e
		})
	}
	if e, known := index[kind+string(live)]; known {
		return e
	}
	return none
}

// count calls add with what each element of a list would be in each way, as long as there
// may be more.
func (c *conversion) count(first int32, ways []counting, add func(e int32, live []byte)) {
	var elements []int32
	var texts [][]byte
	size := 0
	for e := first; e != none; e = c.frames[e].next {
		mate := c.frames[e].mate
		if mate == none {
			continue
		}
		if !c.mayCount() {
			return
		}
		text := c.emit(nil, mate, 0)
		elements, texts = append(elements, e), append(texts, text)
		c.counted += len(text)
		size += len(text) + bytesOfCount
	}
	for _, way := range ways[:min(len(ways), maxCounted)] {
		if !c.mayCount() {
			return
		}
		c.counted += size
		count := map[string]int{}
		for i, e := range elements {
			live := hash(way(texts[i]))[:12]
			add(e, strconv.AppendInt(live, int64(count[string(live)]), 10))
			count[string(live)]++
		}
	}
}

// counting is a way to make up the content of an element.
type counting func(text []byte) []byte

// without are ways that leave out the places that an address names, and with each of
// them but the first a way without one place more, or with the default of one; or, as the
// last, with all defaults.
func (c *conversion) without(of *schema.Schema, leftOut []byte) (ways []counting) {
	var left, places []*schema.Schema
	for place, id := range placesIn(of) {
		if places = append(places, place); bytes.Contains(leftOut, id) {
			left = append(left, place)
		}
	}
	but := func(place, keep *schema.Schema) {
		omit := func(s *schema.Schema) bool { return s == place || slices.Contains(left, s) }
		ways = append(ways, func(text []byte) []byte { return c.texts().Without(nil, text, of, omit, keep) })
	}
	but(nil, nil)
	for _, place := range places {
		if but(place, nil); place.Default != nil {
			but(nil, place)
		}
	}
	return append(ways, func(text []byte) []byte { return c.texts().Canonical(nil, text, nil) })
}

// placesIn are the places in an element, and by what an address names each.
func placesIn(of *schema.Schema) iter.Seq2[*schema.Schema, []byte] {
	return func(yield func(*schema.Schema, []byte) bool) {
		n := 0
		var walk func(s *schema.Schema, at []byte) bool
		walk = func(s *schema.Schema, at []byte) bool {
			if s == nil {
				return true
			}
			if n++; n > maxCounted {
				return false
			}
			if len(at) > 0 && !yield(s, append([]byte{'.'}, hash(at)[:6]...)) {
				return false
			}
			for _, name := range s.Names() {
				if !walk(s.Members[name], append(append(at[:len(at):len(at)], 0), name...)) {
					return false
				}
			}
			return walk(s.Items, append(at[:len(at):len(at)], 1)) && walk(s.Values, append(at[:len(at):len(at)], 2))
		}
		walk(of, nil)
	}
}
