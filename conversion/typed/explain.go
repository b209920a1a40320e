package typed

import (
	"context"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// Explain converts an object as Convert does. For each field of the result it returns whether
// the code has written it, or a stash; and it returns the values that are kept because the code
// loses them. It does not know which fields the code reads. Errors are of type
// *conversion.Error.
func (c *Converter) Explain(ctx context.Context, text []byte, to string) (*conversion.Explanation, error) {
	document, from, err := c.read(text, to, c.maxSize)
	if err != nil {
		return nil, err
	}
	e := &conversion.Explanation{Kind: c.kind, From: from, To: to, Steps: []conversion.Step{}}
	metadata, _ := document["metadata"].(map[string]any)
	e.Namespace, _ = metadata["namespace"].(string)
	e.Name, _ = metadata["name"].(string)
	way := []string{from, to}
	switch {
	case from == to:
		way = nil
	case from != c.hub && to != c.hub:
		way = []string{from, c.hub, to}
	}
	source := document
	for i := 1; i < len(way); i++ {
		x := &explainer{from: c.layouts[way[i-1]], to: c.layouts[way[i]]}
		if document, err = c.explained(ctx, document, way[i-1], way[i], x); err != nil {
			return nil, c.fail(source, from, to, err)
		}
		e.Steps = append(e.Steps, conversion.Step{From: way[i-1], To: way[i], Code: &x.code, Explanation: x.explanation})
	}
	e.Object = appendJSON(nil, document)
	return e, nil
}

// explained is a step that x explains.
func (c *Converter) explained(ctx context.Context, document map[string]any, from, to string, x *explainer) (_ map[string]any, err error) {
	defer explain.CatchTooLong(&err)
	return c.step(ctx, document, from, to, new(conversion.Notes), x)
}

// explainer is told what a step does. A nil one is not interested.
type explainer struct {
	from, to layout
	// made is what the code has made.
	made        map[string]any
	code        conversion.Code
	explanation explain.Explanation
}

// took is told what the code makes of the source.
func (x *explainer) took(made map[string]any, err error) {
	if x == nil {
		return
	}
	x.made = clone(made).(map[string]any)
	if err != nil {
		x.code.Error = err.Error()
	}
}

// restored is told which entries of the target's stash were chosen, and what became
// of these.
func (x *explainer) restored(kept, chosen []stash.Entry, fates []fate) {
	if x == nil {
		return
	}
	for _, e := range kept {
		x.explanation.Takes(len(chosen))
		i := slices.IndexFunc(chosen, func(c stash.Entry) bool { return &c.At[0] == &e.At[0] })
		reason := "a field that the code computes from it was edited, and the edit takes precedence"
		switch {
		case i >= 0 && fates[i] == taken:
			continue
		case i >= 0 && fates[i] == gone:
			reason = "the object or element that contained it was removed"
		}
		x.explanation.AddUnused(conversion.Unused{Path: string(stash.AppendPath(nil, e.At)), Reason: reason})
	}
}

// ended is told how the step ends: is is the view of the source, target that of the
// target, again what the code makes of the target on the way back, and entries are what
// makes it the source.
func (x *explainer) ended(head *head, is, target, again map[string]any, err error, entries []stash.Entry) {
	if x == nil {
		return
	}
	if err != nil {
		x.code.BackError = err.Error()
	}
	x.explanation.Add(conversion.Origin{Path: ".kind", By: conversion.BySame})
	for _, name := range slices.Sorted(maps.Keys(head.meta)) {
		if !slices.Contains(mapped[:], name) {
			x.explanation.Add(conversion.Origin{Path: path.Path{"metadata", name}.String(), By: conversion.BySame})
		}
	}
	x.members(nil, "", target, x.made, is)
	for _, e := range entries {
		x.explanation.AddKept(x.keeps(e, is, again))
	}
	for i := range x.explanation.Kept {
		x.explanation.Takes(len(head.left))
		x.explanation.Kept[i].LeftOut = slices.ContainsFunc(head.left, func(at []stash.Step) bool { return stash.SamePlace(at, entries[i].At) })
	}
}

// keeps says why an entry is kept: what the code gives on the way back is another
// value, or nothing.
func (x *explainer) keeps(e stash.Entry, is, again map[string]any) conversion.Kept {
	k := conversion.Kept{Why: conversion.WhyInexact, Value: e.Value}
	var back any
	k.Path, back = x.find(e.At, is, again)
	switch {
	case e.Order != nil:
		k.Why = conversion.WhyOrder
		return k
	case x.code.Error != "":
		k.Why = conversion.WhyUnmapped
		return k
	case e.Value == nil:
		k.Why = conversion.WhyAbsent
	}
	if !missing(back) {
		k.Back = appendJSON(nil, back)
	}
	return k
}
