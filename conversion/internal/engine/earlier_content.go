package engine

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// An element without a key is known by its content, and what belongs to that is for the
// tables and the schemas of all versions to say: a place that one of them drops does
// not, and neither does one that holds its default. Where they have changed, the content
// of an element that nobody has edited is another one.

// maxCounted bounds in how many ways the content of a list's elements is made up, and
// maxCountedBytes how much of it is read for that: nobody may make this endless work.
const (
	maxCounted      = 256
	maxCountedBytes = 1 << 20
)

// contested marks what two elements of a list would be, each in another way.
const contested = none - 1

// earlierContent finds an element by what the other version had of it by a table that
// counted more of it as its content than this one, or less: all that it holds, or all
// but one place.
func (c *conversion) earlierContent(first int32, list []stash.Step, s stash.Step) int32 {
	const counted = "counted "
	index := c.indexes[first]
	if _, done := index[counted]; !done {
		index[counted] = none
		c.countOtherwise(first, func(e int32, live []byte) {
			key := counted + string(live)
			if other, known := index[key]; known && other != e {
				e = contested
			}
			index[key] = e
		})
	}
	e, known := index[counted+string(s.Live)]
	if !known || e == contested || c.spokenFor(list, e, s) {
		return none
	}
	return e
}

// countOtherwise calls add with what the address of each element of a list would have
// been in the other version.
func (c *conversion) countOtherwise(first int32, add func(e int32, live []byte)) {
	var elements []int32
	var texts [][]byte
	size := 0
	for e := first; e != none; e = c.frames[e].next {
		if mate := c.frames[e].mate; mate != none {
			text := c.emit(nil, mate, 0)
			elements, texts, size = append(elements, e), append(texts, text), size+len(text)
		}
	}
	if len(elements) == 0 {
		return
	}
	mate := c.frames[elements[0]].mate
	of := c.frames[mate].scope.Nodes[c.frames[mate].side][0].Schema
	ways := waysToCount(of)
	if size > 0 {
		ways = ways[:min(len(ways), maxCounted, maxCountedBytes/size)]
	}
	for _, way := range ways {
		count := map[string]int{}
		for i, e := range elements {
			live := hash(way(texts[i]))[:12]
			add(e, strconv.AppendInt(live, int64(count[string(live)]), 10))
			count[string(live)]++
		}
	}
}

// waysToCount are the ways in which the content of an element could have been made up:
// as it stands, as if nothing were dropped, and either that or what counts today
// without one place.
func waysToCount(of *schema.Schema) []func([]byte) []byte {
	ways := []func([]byte) []byte{
		func(text []byte) []byte { return schema.Canonical(nil, text, nil) },
	}
	but := func(omit func(*schema.Schema) bool) {
		ways = append(ways, func(text []byte) []byte { return schema.Without(nil, text, of, omit) })
	}
	but(func(*schema.Schema) bool { return false })
	var places []*schema.Schema
	var walk func(s *schema.Schema)
	walk = func(s *schema.Schema) {
		if s == nil || len(places) > maxCounted || slices.Contains(places, s) {
			return
		}
		places = append(places, s)
		for _, name := range s.Names() {
			walk(s.Members[name])
		}
		walk(s.Items)
		walk(s.Values)
	}
	walk(of)
	for _, place := range places {
		but(func(s *schema.Schema) bool { return s == place })
		but(func(s *schema.Schema) bool { return s == place || s.Dropped })
	}
	return ways
}
