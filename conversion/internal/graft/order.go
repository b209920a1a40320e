package graft

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// ordered puts elements where they stood. If they stood under names, those of the
// order come first; else each whole element comes behind the one before it.
func ordered(all []item, order []stash.Item) []item {
	wholes := map[string]int{}
	for _, o := range order {
		if o.Value != nil {
			wholes[string(o.Value)]++
		}
	}
	// Of equal elements no more are whole ones than the order has.
	isWhole := make([]bool, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		text := string(schema.Canonical(nil, all[i].text, nil))
		isWhole[i] = wholes[text] > 0
		wholes[text]--
	}
	if slices.ContainsFunc(order, func(o stash.Item) bool { return o.Part != nil }) {
		return orderedParts(all, isWhole, order)
	}
	name, named := nameOf(all, isWhole, order)
	at := map[string]int{}
	if len(all) > 0 && !named {
		// What stands alone is the first, and whole elements are behind it.
		if i := slices.Index(isWhole, false); i > 0 && aloneFirst(order) {
			alone := all[i]
			all = slices.Insert(slices.Delete(all, i, i+1), 0, alone)
			isWhole = slices.Insert(slices.Delete(isWhole, i, i+1), 0, false)
		}
		at[stepKey(stash.Step{Name: []byte{}})] = 0
	}
	for i := len(all) - 1; i >= 0; i-- {
		steps := all[i].steps
		if text, ok := memberText(all[i].text, name); named && ok {
			steps = append(slices.Clip(steps), stepKey(stash.Step{Name: text}))
		}
		for _, step := range steps {
			// A whole element had no name or key beside one that has it.
			if other, twice := at[step]; !twice || isWhole[other] || !isWhole[i] {
				at[step] = i
			}
		}
	}
	if !named {
		named = byRank(at, all, isWhole, order)
	}
	used := make([]bool, len(all))
	for _, o := range order {
		if i, ok := at[stepKey(o.Step)]; ok && o.Value == nil {
			used[i] = true
		}
	}
	// Whole elements may be there already.
	whole := map[string][]int{}
	for i := range all {
		if !used[i] {
			text := string(schema.Canonical(nil, all[i].text, nil))
			whole[text] = append(whole[text], i)
		}
	}
	clear(used)
	var sorted []item
	behind := map[int][]item{}
	last := -1
	for _, o := range order {
		if o.Value != nil {
			if there := whole[string(o.Value)]; len(there) > 0 {
				whole[string(o.Value)] = there[1:]
				if named {
					used[there[0]] = true
				} else {
					continue
				}
			}
			if named {
				sorted = append(sorted, item{text: o.Value})
			} else {
				behind[last] = append(behind[last], item{text: o.Value})
			}
			continue
		}
		i, ok := at[stepKey(o.Step)]
		if !ok || used[i] {
			continue
		}
		last, used[i] = i, true
		if named {
			sorted = append(sorted, all[i])
		}
	}
	sorted = append(sorted, behind[-1]...)
	for i, e := range all {
		if !named || !used[i] {
			sorted = append(sorted, e)
		}
		sorted = append(sorted, behind[i]...)
	}
	return sorted
}

// byRank says where elements are that stood under names which no member has, as where a
// template makes them of several: what comes of a map is sorted by its names, so that if
// there are as many elements, each is where its name is among the sorted.
func byRank(at map[string]int, all []item, isWhole []bool, order []stash.Item) bool {
	var names []string
	for _, o := range order {
		if o.Value == nil {
			if len(o.Step.Name) == 0 {
				return false
			}
			names = append(names, string(o.Step.Name))
		}
	}
	var others []int
	for i := range all {
		if !isWhole[i] {
			others = append(others, i)
		}
	}
	if len(names) == 0 || len(names) != len(others) {
		return false
	}
	slices.Sort(names)
	for rank, name := range names {
		at[stepKey(stash.Step{Name: []byte(name)})] = others[rank]
	}
	return true
}

// orderedParts puts whole elements where they stood among those of a list's parts. Which
// of these is which nothing says, since the parts may be others by now: they stay in
// their order, if there are as many of them.
func orderedParts(all []item, isWhole []bool, order []stash.Item) (sorted []item) {
	var others []item
	for i, e := range all {
		if !isWhole[i] {
			others = append(others, e)
		}
	}
	shown := 0
	for _, o := range order {
		if o.Value == nil {
			shown++
		}
	}
	if shown != len(others) {
		if shown != len(all) {
			return all
		}
		others = slices.Clone(all) // those that are like whole ones are shown as well
	}
	for _, o := range order {
		if o.Value == nil {
			sorted, others = append(sorted, others[0]), others[1:]
		} else {
			sorted = append(sorted, item{text: o.Value})
		}
	}
	return sorted
}

// nameOf finds the member under whose texts the elements stood in a map: the one
// that has most of the names, each once. Elements that the order has as whole ones
// stood under no name, unless there are no others.
func nameOf(all []item, isWhole []bool, order []stash.Item) (member string, named bool) {
	var others []item
	for i, e := range all {
		if !isWhole[i] {
			others = append(others, e)
		}
	}
	if member, named = nameAmong(others, order); named {
		return member, named
	}
	return nameAmong(all, order)
}

// aloneFirst reports whether the first of an order may be what stands alone: that has an
// empty name, and nothing before it.
func aloneFirst(order []stash.Item) bool {
	return len(order) > 0 && order[0].Step.Name != nil && len(order[0].Step.Name) == 0
}

func nameAmong(all []item, order []stash.Item) (member string, named bool) {
	names := map[string]bool{}
	for _, o := range order {
		if o.Step.Name != nil {
			names[string(o.Step.Name)] = true
		}
	}
	if len(names) == 1 && aloneFirst(order) {
		return "", false
	}
	count := map[[2]string]int{}
	for _, e := range all {
		if e.text[0] != '{' {
			continue
		}
		Members(e.text, func(name, value []byte) {
			if text, ok := nameIn(value); ok && names[string(text)] {
				count[[2]string{string(name), string(text)}]++
			}
		})
	}
	hits := map[string]int{}
	for at, n := range count {
		if n == 1 {
			hits[at[0]]++
		}
	}
	for _, candidate := range slices.Sorted(maps.Keys(hits)) {
		if member == "" || hits[candidate] > hits[member] {
			member = candidate
		}
	}
	return member, len(hits) > 0
}

// memberText is the text of a member, if it has one.
func memberText(object []byte, member string) (text []byte, ok bool) {
	if object[0] == '{' {
		Members(object, func(name, value []byte) {
			if string(name) == member {
				text, ok = nameIn(value)
			}
		})
	}
	return text, ok
}

// nameIn is the name that a value stands for in a map: that of a text, or of a number.
func nameIn(value []byte) (name []byte, ok bool) {
	switch c := value[0]; {
	case c == '"':
		return jsontext.Unquote([]byte{}, value[1:len(value)-1]), true
	case c == '-' || c-'0' <= 9:
		return value, true
	}
	return nil, false
}
