package complement

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// An element is found by what it is in the other version, if no other element of the list is the
// same there: no row and no table changes that. Otherwise it is found by what the conversion makes
// of it.

// index finds the elements of a list by their addresses.
type index struct {
	addressed
	steps []stash.Step
	// here and there have the numbers of elements by the keys and other texts of addresses.
	here, there map[string]int
	// lives and fulls have the numbers of elements by what they are in the other version, and contents by
	// what is made of them.
	lives, fulls, contents map[string][]int
	// keyed is lives of the elements that have a key.
	keyed map[string][]int
	// first is what firstByKey returns, once it was asked for.
	first map[string]int
	// fields finds elements by keys of which this table knows nothing, for each set of fields.
	fields map[string]map[string]int
}

// twice is the number of no element: two have the same text.
const twice = -1

// newIndex returns the index of a list.
func newIndex(a addressed) *index {
	x := &index{addressed: a, steps: a.addresses(), here: map[string]int{}, there: map[string]int{}}
	for i := range x.steps {
		a.made.caller.Work(1)
		x.here[hereText(x.steps[i])] = i
		if a.of[i] == none {
			continue
		}
		if key := a.keyThere(i); key != nil {
			enter(x.there, string(key), i)
		}
	}
	return x
}

// find returns the number of the element at an address, which another table may have made.
func (x *index) find(s stash.Step, earlier bool) (int, bool) {
	for _, key := range []*[]byte{&s.Key, &s.There} {
		if *key != nil {
			*key = schema.Canonical(nil, *key, nil)
		}
	}
	switch {
	case s.Key != nil:
		return x.findByKey(s, earlier)
	case len(s.Content) == 0: // it is the only one, or by another table it was
		i, known := x.here[hereText(s)]
		return i, known || earlier && len(x.elements) == 1
	}
	x.hashAll()
	if full := x.fulls[string(s.Full)]; s.Full != nil && len(full) > 0 && len(full) <= max(1, s.FullOf) {
		if s.FullNth < len(full) {
			return full[s.FullNth], true
		}
		if len(x.contents[string(s.Content)]) != s.Of {
			return 0, false // one of these has gone
		}
	}
	if alike := x.lives[string(s.Live)]; len(alike) > 0 {
		if s.Alike >= len(alike) {
			return 0, false // one of these has gone
		}
		return alike[s.Alike], true
	}
	if keyed := x.keyed[string(s.Live)]; len(keyed) == 1 && s.Alike == 0 {
		return keyed[0], true // those which had its key have gone
	}
	if equal := x.contents[string(s.Content)]; len(equal) == max(1, s.Of) && s.Nth < len(equal) {
		return equal[s.Nth], true
	}
	return 0, false
}

// findByKey is find for a key. An element of another table that is no longer there leaves nothing to
// one that this table makes with its key.
func (x *index) findByKey(s stash.Step, earlier bool) (int, bool) {
	if i, known := x.there[string(s.KeyThere())]; known && i != twice {
		return i, true
	}
	if i, known := x.here[hereText(s)]; known && (!earlier || len(x.there) == 0) {
		return i, true
	}
	if earlier && (len(x.there) == 0 || s.There == nil) && !x.isKey(s.Key) {
		return x.findByFields(s.Key)
	}
	i, found := x.firstByKey()[string(s.Key)]
	return i, found && !earlier
}

// firstByKey returns the first element of each key that several have, which an edit has given to the others.
func (x *index) firstByKey() map[string]int {
	if x.first == nil {
		x.first = map[string]int{}
		for i, e := range x.elements {
			if key := keyOf(x.made, e, x.scopes[i], x.side); key != nil && x.steps[i].Key == nil && !has(x.first, string(key)) {
				x.first[string(key)] = i
			}
		}
	}
	return x.first
}

// hashAll hashes the elements, and what they are in the other version. Of a list that is the same there, that
// is one.
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

// isKey reports whether a key has the fields of one of this table.
func (x *index) isKey(key []byte) bool {
	set := fieldsText(fieldsOf(key))
	for _, s := range x.steps {
		if s.Key != nil {
			return fieldsText(fieldsOf(s.Key)) == set
		}
	}
	return false
}

// enter notes that an element has a text.
func enter(numbers map[string]int, text string, i int) {
	if _, known := numbers[text]; known {
		i = twice
	}
	numbers[text] = i
}

// hereText returns a text that two addresses in one list share only if what is made is the same.
func hereText(s stash.Step) string {
	if s.Key != nil {
		return "k" + string(s.Key) + string(s.There)
	}
	return string(strconv.AppendInt(jsontext.Quote(nil, s.Content), int64(s.Nth), 10))
}

// placeText returns a text that only addresses of one place share.
func placeText(at []stash.Step) string { return string(appendPlace(nil, at)) }

// appendPlace appends that text to dst. The text of the first steps is the beginning of that of all.
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

// maxFields is how many sets of fields of one list are looked at. A table has one.
const maxFields = 4

// findByFields finds the element that has the fields of a key, if it is the only one.
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

// leaves appends the paths from an object to the values in it that are none.
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

// fieldsText returns a text that only equal sets of fields share.
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

// scalars returns a text of the values at some paths from an object, which only equal ones share.
// It returns false if one is missing.
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
