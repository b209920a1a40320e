package complement

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An element is found by its key or content in the other version, if that is unique in the list: no
// row and no table changes it. Otherwise it is found by what the conversion makes of it. If the
// other version has another element there now, that is a guess: if an entry is known to be about
// the element, no guess leads to it.

// index finds the elements of a list by their addresses.
type index struct {
	addressedList
	steps []stash.Step
	// here and there have the numbers of elements by the keys and other texts of addresses.
	here, there map[string]int
	// lives and fulls have the numbers of elements by their hashes in the other version, and
	// contents by the hashes of what is made of them.
	lives, fulls, contents map[string][]int
	// keyed is lives for the elements with a key.
	keyed map[string][]int
	// first is the result of firstByKey, or nil.
	first map[string]int
	// fields finds elements by keys that this table does not have, for each set of fields.
	fields map[string]map[string]int
}

// twice is the number for a text that two elements have.
const twice = -1

// newIndex returns the index of a list.
func newIndex(a addressedList) *index {
	x := &index{addressedList: a, steps: a.addresses(), here: map[string]int{}, there: map[string]int{}}
	for i := range x.steps {
		a.made.caller.Work(1)
		x.here[hereText(x.steps[i])] = i
		if a.of[i] == none {
			continue
		}
		if key := a.keyThere(i); key != nil {
			enter(x.there, string(key), i)
			if in := a.listThere(a.scopes[i]); in != nil {
				enter(x.there, inList(in, key), i)
			}
		}
	}
	return x
}

// find returns the number of the element at an address, which another table may have made, and
// whether it is a guess.
func (x *index) find(s stash.Step, earlier bool) (number int, isGuess, found bool) {
	for _, key := range []*[]byte{&s.Key, &s.There} {
		if *key != nil {
			*key = schema.Canonical(nil, *key, nil)
		}
	}
	switch {
	case s.Key != nil:
		number, found = x.findByKey(s, earlier)
		return number, false, found
	case len(s.Content) == 0: // it is the only one, or it was by another table
		number, found = x.here[hereText(s)]
		return number, false, found || earlier && len(x.elements) == 1
	}
	x.hashAll()
	alike := x.lives[string(s.Live)]
	wasAlone := s.Of < 2
	if full := x.withFull(s); len(full) > 0 && (len(full) < s.AlikeOf || wasAlone && len(full) < len(alike)) {
		if s.FullNth < len(full) {
			return full[s.FullNth], false, true
		}
		if len(x.contents[string(s.Content)]) != s.Of {
			return 0, false, false // one of these is gone
		}
	}
	if len(alike) > 0 && len(alike) >= s.AlikeOf { // what distinguished them is dropped, or nothing did
		if s.Alike >= len(alike) {
			return 0, false, false // one of these is gone
		}
		return alike[s.Alike], false, true
	}
	if keyed := x.keyed[string(s.Live)]; len(keyed) == 1 && s.Alike == 0 {
		return keyed[0], false, true // the others with its key are gone
	}
	if equal := x.contents[string(s.Content)]; len(equal) == max(1, s.Of) && s.Nth < len(equal) {
		return equal[s.Nth], true, true
	}
	return 0, false, false
}

// withFull returns the elements that also have what some table drops of the element at an address.
func (x *index) withFull(s stash.Step) []int {
	if s.Full != nil {
		return x.fulls[string(s.Full)]
	}
	return x.fulls[string(s.Live)]
}

// findByKey is find for a key. An element may be in another list of the other version now, unless
// that had one with the same key. If the element of another table is gone, nothing is restored in an
// element that only this table makes with its key.
func (x *index) findByKey(s stash.Step, earlier bool) (int, bool) {
	if i, known := x.there[inList(s.In, s.KeyThere())]; known && i != twice {
		return i, true
	}
	if i, known := x.there[string(s.KeyThere())]; known && i != twice && s.Of < 2 {
		return i, true
	}
	if i, known := x.here[hereText(s)]; known && (!earlier || len(x.there) == 0) {
		return i, true
	}
	if earlier && (len(x.there) == 0 || s.There == nil) && !x.isKey(s.Key) {
		return x.findByFields(s.Key)
	}
	i, found := x.firstByKey()[inList(s.In, s.Key)]
	return i, found && !earlier
}

// firstByKey returns the first element of each key that several elements have, because an edit has
// given it to the others.
func (x *index) firstByKey() map[string]int {
	if x.first == nil {
		x.first = map[string]int{}
		for i, e := range x.elements {
			if key := keyOf(x.made, e, x.scopes[i], x.side); key != nil && x.steps[i].Key == nil {
				text := inList(x.listThere(x.scopes[i]), key)
				if !has(x.first, text) {
					x.first[text] = i
				}
			}
		}
	}
	return x.first
}

// hashAll hashes the elements, and their counterparts in the other version. For a list that is
// copied, that is the same.
func (x *index) hashAll() {
	if x.lives != nil {
		return
	}
	x.lives, x.fulls, x.contents, x.keyed = map[string][]int{}, map[string][]int{}, map[string][]int{}, map[string][]int{}
	text := func(h hash) string {
		var buf [16]byte
		return string(h.text(buf[:0]))
	}
	for i, e := range x.elements {
		x.made.caller.Work(1)
		content := text(x.made.hash(e))
		live := content
		if x.of[i] != none {
			live = text(x.live(i))
			if x.fades && x.steps[i].Key == nil {
				full := text(x.full(i))
				x.fulls[full] = append(x.fulls[full], i)
			}
		}
		x.contents[content] = append(x.contents[content], i)
		if x.steps[i].Key != nil {
			x.keyed[live] = append(x.keyed[live], i)
			continue
		}
		x.lives[live] = append(x.lives[live], i)
	}
}

// isKey reports whether a key has the fields of a key of this table.
func (x *index) isKey(key []byte) bool {
	set := fieldsText(fieldsOf(key))
	for _, s := range x.steps {
		if s.Key != nil {
			return fieldsText(fieldsOf(s.Key)) == set
		}
	}
	return false
}

// enter adds the text of an element.
func enter(numbers map[string]int, text string, i int) {
	if _, known := numbers[text]; known {
		i = twice
	}
	numbers[text] = i
}

// hereText returns a text that two addresses in one list share only if the elements are made with
// the same key or content.
func hereText(s stash.Step) string {
	if s.Key != nil {
		return "k" + inList(s.In, s.Key) + string(s.There)
	}
	return string(strconv.AppendInt(jsontext.Quote(nil, s.Content), int64(s.Nth), 10))
}

// placeText returns a text that is the same only for addresses of one place.
func placeText(at []stash.Step) string { return string(appendPlace(nil, at)) }

// appendPlace appends that text to dst. The text of the first steps is a prefix of that of all
// steps.
func appendPlace(dst []byte, at []stash.Step) []byte {
	for _, s := range at {
		switch {
		case s.Part != nil:
			dst = jsontext.Quote(append(dst, 'p'), s.Part)
		case s.Name != nil:
			dst = jsontext.Quote(append(dst, 'n'), s.Name)
		default:
			dst = append(dst, hereText(s)...)
		}
	}
	return dst
}

// maxFields is how many sets of fields are considered in one list. A table has one.
const maxFields = 4

// findByFields returns the element that has the fields of a key, if it is the only one.
func (x *index) findByFields(key []byte) (int, bool) {
	fields := fieldsOf(key)
	set := fieldsText(fields)
	numbers := x.fields[set]
	if numbers == nil {
		if len(x.fields) == maxFields {
			return 0, false
		}
		numbers = map[string]int{}
		for i, e := range x.elements {
			if text, ok := x.made.scalars(e, fields); ok {
				enter(numbers, text, i)
			}
		}
		if x.fields == nil {
			x.fields = map[string]map[string]int{}
		}
		x.fields[set] = numbers
	}
	var k tree
	k.caller = x.made.caller
	k.parse(key, nil)
	text, ok := k.scalars(0, fields)
	i, known := numbers[text]
	return i, ok && known && i != twice
}

// fieldsOf returns the paths to the values of a key.
func fieldsOf(key []byte) (fields [][]string) {
	var k tree
	k.parse(key, nil)
	k.leaves(0, nil, &fields)
	return fields
}

// leaves appends the paths from an object to the values in it that are no objects.
func (t *tree) leaves(id int32, at []string, all *[][]string) {
	if t.nodes[id].kind != object {
		*all = append(*all, slices.Clone(at))
		return
	}
	t.each(id, func(child int32) bool {
		t.leaves(child, append(at, string(t.name(child))), all)
		return true
	})
}

// fieldsText returns a text that is the same only for equal sets of fields.
func fieldsText(fields [][]string) string {
	var text []byte
	for _, names := range fields {
		for _, name := range names {
			text = jsontext.Quote(text, []byte(name))
		}
		text = append(text, ';')
	}
	return string(text)
}

// scalars returns a text of the values at some paths from an object, which is the same only for
// equal values. It returns false if one is absent.
func (t *tree) scalars(id int32, fields [][]string) (string, bool) {
	var text []byte
	for _, names := range fields {
		at := t.at(id, names)
		if at == none || t.nodes[at].kind != scalar {
			return "", false
		}
		text = append(appendScalar(text, t.value(at)), ',')
	}
	return string(text), len(fields) > 0
}
