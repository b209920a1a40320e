package graft

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// Merge is what becomes of live by what was kept beside it. bare and full are what a
// trip makes of live, without what was kept and with it: what the two have in common
// is no news, and what the trip loses in either case, as a table may want it, stays.
// It reports false where more than additions would come of it.
func Merge(live, bare, full []byte, of *schema.Schema) (merged []byte, ok bool) {
	if live == nil && of != nil && of.Default != nil {
		if same(of.Whole, full, of) || same(bare, full, of) || full == nil {
			return nil, full != nil || bare == nil
		}
		live = of.Whole // a value, too
		if bare == nil {
			bare = of.Whole
		}
	}
	switch {
	case bytes.Equal(bare, full):
		return live, true
	case live == nil && bare != nil && same(bare, full, of):
		return nil, true
	case live == nil, live[0] == 'n' && of != nil && !of.Nullable && bare == nil && full != nil:
		return full, true
	case full == nil:
		return live, bare == nil || of != nil && of.Default != nil && same(live, of.Whole, of)
	case live[0] == '{' && full[0] == '{':
		return mergeObjects(live, bare, full, of)
	case live[0] == '[' && full[0] == '[' && bare != nil && bare[0] == '[':
		return mergeLists(live, bare, full, of)
	}
	return live, same(live, full, of) || same(bare, full, of)
}

func same(a, b []byte, of *schema.Schema) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(schema.Complete(nil, a, of), schema.Complete(nil, b, of))
}

func mergeObjects(live, bare, full []byte, of *schema.Schema) (merged []byte, ok bool) {
	was, is := membersOf(bare), membersOf(full)
	merged, ok = []byte{'{'}, true
	add := func(name, value []byte) {
		m, fits := Merge(value, was[string(name)], is[string(name)], memberOf(of, name))
		if ok = ok && fits; m != nil {
			merged = appendMember(merged, name, m)
		}
		delete(is, string(name))
	}
	Members(live, add)
	Members(full, func(name, _ []byte) {
		if is[string(name)] != nil {
			add(name, nil)
		}
	})
	return append(merged, '}'), ok
}

// mergeLists looks for the elements of the bare list, in their order, in the full one:
// those between them have come to it.
func mergeLists(live, bare, full []byte, of *schema.Schema) (merged []byte, ok bool) {
	var items *schema.Schema
	if of != nil {
		items = of.Items
	}
	lives, bares, fulls := elementsOf(live), elementsOf(bare), elementsOf(full)
	if len(lives) != len(bares) || len(fulls) < len(bares) {
		return live, same(bare, full, of)
	}
	merged, ok = []byte{'['}, true
	next := 0
	for _, element := range fulls {
		var m []byte
		fits := true
		if next < len(bares) && (len(fulls) == len(bares) || Extends(schema.Complete(nil, bares[next], items), schema.Complete(nil, element, items))) {
			m, fits = Merge(lives[next], bares[next], element, items)
			next++
		} else {
			m = element
		}
		if len(merged) > 1 {
			merged = append(merged, ',')
		}
		merged, ok = append(merged, m...), ok && fits
	}
	return append(merged, ']'), ok && next == len(bares)
}

// membersOf are the members of an object, none if it is none.
func membersOf(text []byte) map[string][]byte {
	all := map[string][]byte{}
	if len(text) > 0 && text[0] == '{' {
		Members(text, func(name, value []byte) { all[string(name)] = value })
	}
	return all
}

func elementsOf(list []byte) (all [][]byte) {
	Elements(list, func(value []byte) { all = append(all, value) })
	return all
}
