package typed

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
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
	e := &conversion.Explanation{Kind: c.kind, From: from, To: to, Steps: []conversion.Step{}, Object: appendJSON(nil, document)}
	metadata, _ := document["metadata"].(map[string]any)
	e.Namespace, _ = metadata["namespace"].(string)
	e.Name, _ = metadata["name"].(string)
	through := c.through(from, to)
	var before complement.Leg
	for i := 1; i < len(through); i++ {
		step, by := c.step(through[i-1], through[i])
		object, explained, err := step.Explain(ctx, e.Object, before)
		if err != nil {
			return nil, c.fail(document, from, to, err)
		}
		code := new(conversion.Code)
		if err := by.failed[step.From]; err != nil {
			code.Error = err.Error()
			for i := range explained.Kept {
				explained.Kept[i].Why, explained.Kept[i].Back = conversion.WhyUnmapped, nil
			}
		}
		if err := by.failed[step.From.Other()]; err != nil {
			code.BackError = err.Error()
		}
		e.Steps = append(e.Steps, conversion.Step{From: through[i-1], To: through[i], Code: code, Explanation: *explained})
		before, e.Object = complement.Leg{Step: step, Source: e.Object}, object
	}
	return e, nil
}

// tell adds to told for the fields of what the code has made whether they are the same in the source.
func tell(told *explain.Explanation, head *head, is, made map[string]any) {
	told.Add(conversion.Origin{Path: ".kind", By: conversion.BySame})
	for _, name := range slices.Sorted(maps.Keys(head.meta)) {
		if !slices.Contains(mapped[:], name) {
			told.Add(conversion.Origin{Path: path.Path{"metadata", name}.String(), By: conversion.BySame})
		}
	}
	var visit func(at string, is, made any, isMetadata bool)
	visit = func(at string, is, made any, isMetadata bool) {
		object, _ := made.(map[string]any)
		list, _ := made.([]any)
		switch {
		case !isMetadata && same(is, made):
			told.Add(conversion.Origin{Path: at, By: conversion.BySame})
		case isMetadata || len(object) > 0:
			source, _ := is.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(object)) {
				visit(at+path.Path{name}.String(), member(source, name), object[name], at == "" && name == "metadata" || at == ".metadata")
			}
		case len(list) > 0:
			source, _ := is.([]any)
			for i, element := range list {
				visit(at+"["+strconv.Itoa(i)+"]", elementAt(source, i), element, false)
			}
		default:
			told.Add(conversion.Origin{Path: at, By: conversion.ByCode, Value: appendJSON(nil, made)})
		}
	}
	visit("", is, made, true)
}

func elementAt(list []any, i int) any {
	if i >= len(list) {
		return nothing{}
	}
	return list[i]
}
