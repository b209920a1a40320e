package conversion

import (
	"maps"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// root returns the schema of a version.
func (c *Converter) root(version string) *schema.Schema {
	if version != c.hub {
		return c.plans[version].Root.Nodes[plan.Spoke][0].Schema
	}
	for _, spoke := range c.versions {
		if p := c.plans[spoke]; p != nil {
			return p.Root.Nodes[plan.Hub][0].Schema
		}
	}
	return nil
}

// plainHub is plain in the hub.
func (c *renewal) plainHub(text []byte, version string) []byte {
	there, _, err := c.way(text, version, c.hub)
	if err != nil {
		return nil
	}
	return c.plain(there, c.hub)
}

// whole is an object without stashes, in a form in which equal ones are equal: with
// all defaults, since what holds its default holds a value.
func (c *Converter) whole(w schema.Writer, text []byte, version string) []byte {
	out, err := object.Strip(nil, text)
	if err != nil {
		return nil
	}
	return w.Complete(nil, out, c.compared(version))
}

// compared is root with metadata, labels and annotations of which absent and empty are
// alike: conversion itself makes them for what it keeps.
func (c *Converter) compared(version string) *schema.Schema {
	with := func(s *schema.Schema, whole string, members map[string]*schema.Schema) *schema.Schema {
		out := *s
		out.Default, out.Whole, out.Members = []byte("{}"), []byte(whole), maps.Clone(s.Members)
		maps.Copy(out.Members, members)
		return &out
	}
	root, all := *c.root(version), map[string]*schema.Schema{}
	meta := root.Members["metadata"]
	for _, name := range []string{"annotations", "labels"} {
		all[name] = with(meta.Members[name], "{}", nil)
	}
	root.Members = maps.Clone(root.Members)
	root.Members["metadata"] = with(meta, `{"annotations":{},"labels":{}}`, all)
	return &root
}

// plain is whole without what some table drops, which may be gone after any trip.
func (c *Converter) plain(w schema.Writer, text []byte, version string) []byte {
	whole := c.whole(w, text, version)
	if whole == nil {
		return nil
	}
	plain, dropped := w.LeavingOut(nil, whole, c.root(version))
	if len(dropped) == 0 {
		return whole
	}
	return w.Complete(nil, plain, c.compared(version))
}
