package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// pair makes two containers twins and decides about every field inside.
func (b *builder) pair(ids [2]int32, claims [2]*claim, root bool) {
	nodes := &b.out.Nodes
	var names []string
	var schemas [2]*schema.Schema
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		n := &nodes[side][ids[side]]
		n.Twin = ids[side.Other()]
		schemas[side] = n.Schema
		names = claims[side].names(names)
		for name := range n.Schema.Members {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	unlike := schemas[plan.Spoke].KeepsUnknown() != schemas[plan.Hub].KeepsUnknown() ||
		(schemas[plan.Spoke].Values == nil) != (schemas[plan.Hub].Values == nil)
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		nodes[side][ids[side]].KeepUnknown = unlike
	}
	b.pairValues(ids, schemas)
	b.warnRequired(ids, claims, root)
	slices.Sort(names)
	if root {
		names = b.pairRoot(ids, claims, names)
	}
	for _, name := range names {
		inner := [2]*claim{claims[plan.Spoke].member(name), claims[plan.Hub].member(name)}
		b.member(ids, name, inner, [2]*schema.Schema{schemas[plan.Spoke].Member(name), schemas[plan.Hub].Member(name)})
	}
}

// pairValues handles maps whose values have different schemas in the versions, in a container that
// also has fields of its own.
func (b *builder) pairValues(ids [2]int32, schemas [2]*schema.Schema) {
	s, h := schemas[plan.Spoke].Values, schemas[plan.Hub].Values
	if s != nil && h != nil && !schema.Same(s, h) {
		at := b.pathOf(plan.Spoke, ids[plan.Spoke])
		b.plain("map the maps with each, and move single entries to fields of their own",
			"rows map single entries of %s, but its values differ between %s and %s", at, b.versions[plan.Spoke], b.versions[plan.Hub])
	}
}

// pairRoot handles apiVersion and metadata, which come first.
func (b *builder) pairRoot(ids [2]int32, claims [2]*claim, names []string) []string {
	var meta [2]int32
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		s := b.out.Nodes[side][ids[side]].Schema
		b.node(side, ids[side], "apiVersion", plan.APIVersion, s.Members["apiVersion"])
		meta[side] = b.node(side, ids[side], "metadata", plan.Container, s.Members["metadata"])
	}
	b.pairMetadata(meta, [2]*claim{claims[plan.Spoke].member("metadata"), claims[plan.Hub].member("metadata")})
	// If unknown members are kept, kind needs a node, or it would not be copied.
	keepUnknown := b.out.Nodes[plan.Spoke][ids[plan.Spoke]].KeepUnknown
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "apiVersion" || name == "kind" && !keepUnknown || name == "metadata"
	})
}

func (b *builder) pairMetadata(meta [2]int32, claims [2]*claim) {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		b.out.Nodes[side][meta[side]].Twin = meta[side.Other()]
	}
	for _, name := range [...]string{"annotations", "labels"} {
		inner := [2]*claim{claims[plan.Spoke].member(name), claims[plan.Hub].member(name)}
		if name == "labels" && inner[plan.Spoke] == nil && inner[plan.Hub] == nil {
			continue
		}
		var ids [2]int32
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			s := b.out.Nodes[side][meta[side]].Schema.Members[name]
			ids[side] = b.node(side, meta[side], name, plan.Container, s)
			b.out.Nodes[side][ids[side]].Annotations = name == "annotations"
		}
		b.pair(ids, inner, false)
	}
}

// member decides about one field of twins.
func (b *builder) member(ids [2]int32, name string, claims [2]*claim, schemas [2]*schema.Schema) {
	switch {
	case claims[plan.Spoke].claimed() || claims[plan.Hub].claimed():
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			if claims[side].claimed() {
				b.placeNode(side, ids[side], name, claims[side], schemas[side])
				continue
			}
			b.pairWithNone(side, ids[side], name, claims[side], schemas[side])
		}
	case schemas[plan.Spoke] != nil && schemas[plan.Hub] != nil:
		// If unknown members are kept, the known ones need nodes.
		copied := !b.out.Nodes[plan.Spoke][ids[plan.Spoke]].KeepUnknown
		if copied && !claims[plan.Spoke].isWatched() && !claims[plan.Hub].isWatched() && !claims[plan.Spoke].leads() && !claims[plan.Hub].leads() && schema.Same(schemas[plan.Spoke], schemas[plan.Hub]) {
			b.warnEnums(nil, [2]path.Path{b.within(plan.Spoke, ids[plan.Spoke]).Child(name), b.within(plan.Hub, ids[plan.Hub]).Child(name)}, schemas)
			return // the same in both versions: copied
		}
		b.pairSame(ids[plan.Spoke], ids[plan.Hub], name, claims, schemas)
	default:
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			b.pairWithNone(side, ids[side], name, claims[side], schemas[side])
		}
	}
}
