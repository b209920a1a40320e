package typed

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// maxTries is the number of runs of the code to find the field that it does not convert. Without a
// limit, an object with ten thousand elements could keep a processor busy for as long as the API
// server waits.
const maxTries = 200

// blame finds the deepest field that was changed from before to now and for which the code fails,
// and returns the field and the error. If the object before could not be converted for the same
// reason, there is no error, because the writer need not correct it. A created object has no object
// before it.
func blame(d direction, now, before map[string]any, created bool) (string, error) {
	_, failed := d.run(now)
	if failed == nil {
		return "", nil
	}
	s := suspects{left: maxTries, converts: func(view any) bool {
		_, err := d.run(view.(map[string]any))
		return err == nil
	}}
	at, found := s.find("", now, before, func(v any) any { return v })
	switch {
	case found:
		return at, failed
	case created || s.converts(before):
		// Several fields fail, each by itself.
		return common("", now, before), failed
	}
	return "", nil
}

// suspects searches for a field without which the code converts.
type suspects struct {
	converts func(view any) bool
	left     int
}

// find searches inside a value. whole makes a view with another value in its place.
func (s *suspects) find(at string, now, before any, whole func(any) any) (string, bool) {
	for _, c := range changesOf(now, before) {
		inside := func(v any) any { return whole(c.with(v)) }
		for _, instead := range []any{c.before, cut(c.now, c.before)} {
			if s.left--; s.left < 0 {
				return at, false
			}
			if !s.converts(inside(instead)) {
				continue
			}
			if deeper, found := s.find(at+c.name, c.now, c.before, inside); found {
				return deeper, true
			}
			return at + c.name, true
		}
	}
	return at, false
}

// common returns the deepest field that has all changes inside.
func common(at string, now, before any) string {
	changes := changesOf(now, before)
	if len(changes) != 1 {
		return at
	}
	return common(at+changes[0].name, changes[0].now, changes[0].before)
}

// cut returns a value without its changes. The old values may fail as well.
func cut(now, before any) any {
	switch now := now.(type) {
	case map[string]any:
		if _, was := before.(map[string]any); !was {
			return nothing{}
		}
		left := maps.Clone(now)
		for _, c := range changesOf(now, before) {
			if left[c.key] = cut(c.now, c.before); missing(left[c.key]) {
				delete(left, c.key)
			}
		}
		return left
	case []any:
		if _, was := before.([]any); !was {
			return nothing{}
		}
		left := slices.Clone(now)
		for _, c := range changesOf(now, before) {
			left[c.index] = cut(c.now, c.before)
		}
		return slices.DeleteFunc(left, missing)
	}
	return nothing{}
}

// change is a member or an element of a value that was changed.
type change struct {
	key         string
	index       int
	name        string // in the form of a path
	now, before any
	with        func(any) any // returns the value around it with another value in its place
}

// changesOf compares members, and elements as far as both lists have them. Other members and
// elements are new.
func changesOf(now, before any) []change {
	var changes []change
	switch now := now.(type) {
	case map[string]any:
		was, _ := before.(map[string]any)
		names := slices.AppendSeq(slices.Collect(maps.Keys(now)), maps.Keys(was))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			c := change{key: name, name: path.Path{name}.String(), now: member(now, name), before: member(was, name)}
			if missing(c.now) == missing(c.before) && same(c.now, c.before) {
				continue
			}
			c.with = func(v any) any {
				other := maps.Clone(now)
				if other[name] = v; missing(v) {
					delete(other, name)
				}
				return other
			}
			changes = append(changes, c)
		}
	case []any:
		was, _ := before.([]any)
		for i, element := range now {
			c := change{index: i, name: fmt.Sprintf("[%d]", i), now: element, before: nothing{}}
			switch {
			case len(was) == len(now) && same(was[i], element):
				continue
			case len(was) == len(now):
				c.before = was[i]
			case slices.ContainsFunc(was, func(w any) bool { return same(w, element) }):
				continue
			}
			c.with = func(v any) any {
				if missing(v) {
					return slices.Delete(slices.Clone(now), i, i+1)
				}
				other := slices.Clone(now)
				other[i] = v
				return other
			}
			changes = append(changes, c)
		}
	}
	return changes
}
