package typed

import (
	"maps"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// members says of the members of an object who has written them: now is what it is,
// made what the code had made there, and is what the source has at the same path.
func (x *explainer) members(names []string, at string, now map[string]any, made, is any) {
	madeObject, _ := made.(map[string]any)
	isObject, _ := is.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		x.origin(append(names[:len(names):len(names)], name), at+path.Path{name}.String(), now[name], member(madeObject, name), member(isObject, name))
	}
}

// origin says who has written a place. What the code has copied is there as a whole.
func (x *explainer) origin(names []string, at string, now, made, is any) {
	metadata := names[0] == "metadata" && len(names) < 3
	if !metadata && same(now, made) && same(now, is) {
		x.explanation.Add(conversion.Origin{Path: at, By: conversion.BySame})
		return
	}
	o := conversion.Origin{Path: at, By: conversion.ByCode, Value: appendJSON(nil, now)}
	object, isObject := now.(map[string]any)
	list, isList := now.([]any)
	switch {
	case missing(made):
		o.By = conversion.ByStash // as a whole
	case metadata || isObject && len(object) > 0:
		x.members(names, at, object, made, is)
		return
	case isList && len(list) > 0:
		x.elements(names, at, list, made, is)
		return
	case !same(now, made):
		o.By = conversion.ByStash
	}
	x.explanation.Add(o)
}

// elements says of elements who has written them. Where a stash has given the list
// more than the code had made, these are found by their keys.
func (x *explainer) elements(names []string, at string, now []any, made, is any) {
	before, _ := made.([]any)
	source, _ := is.([]any)
	steps, keyed := x.to.address(names, now)
	own, ok := x.to.address(names, before)
	for i, element := range now {
		j := i
		if keyed && ok {
			x.explanation.Takes(len(own))
			j = slices.IndexFunc(own, func(s stash.Step) bool { return s.Same(steps[i]) })
		}
		x.origin(names, at+"["+strconv.Itoa(i)+"]", element, elementAt(before, j), elementAt(source, i))
	}
}

func elementAt(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nothing{}
	}
	return list[i]
}

// perElement is what it takes to look for an entry's element among so many, as text is
// counted.
const perElement = 64

// find is the place of an entry as people write it, by the positions that elements have
// in the source, and what the code makes of it on the way back.
func (x *explainer) find(at []stash.Step, is, again any) (text string, back any) {
	var names []string
	for _, step := range at {
		if step.Name != nil {
			name := string(step.Name)
			isObject, _ := is.(map[string]any)
			madeObject, _ := again.(map[string]any)
			text, names = text+path.Path{name}.String(), append(names, name)
			is, again = member(isObject, name), member(madeObject, name)
			continue
		}
		own, _ := is.([]any)
		made, _ := again.([]any)
		x.explanation.Takes(perElement * (len(own) + len(made)))
		// What has no key has the content that the code makes, at the same position.
		j := slices.IndexFunc(byContent(made), step.Same)
		i := j
		if step.Key != nil {
			i, j = x.position(names, own, step), x.position(names, made, step)
		}
		text += "[" + strconv.Itoa(i) + "]"
		is, again = elementAt(own, i), elementAt(made, j)
	}
	return text, again
}

func (x *explainer) position(names []string, list []any, step stash.Step) int {
	steps, _ := x.from.address(names, list)
	return slices.IndexFunc(steps, step.Same)
}
