package plan

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Input is what a plan is made of.
type Input struct {
	Table    string // the name of the Crosswalk, for messages
	Versions [2]string
	Schemas  [2]*schema.Schema
	Rows     []v1alpha1.Row
}

// Build compiles the rows of one spoke. The plan is only of use if there are
// no problems.
func Build(in Input) (*Plan, []Problem) {
	b := &builder{table: in.Table, versions: in.Versions, problems: &collector{}}
	root := b.scope(in.Rows, in.Schemas, "", [2]path.Path{}, true, nil)
	return &Plan{Versions: in.Versions, Root: root, Private: b.problems.private}, b.problems.list
}

// collector gathers what is found in all scopes of a plan.
type collector struct {
	list    []Problem
	private []string
}

func (c *collector) add(p Problem) {
	if !slices.Contains(c.list, p) {
		c.list = append(c.list, p)
	}
}

// builder builds one scope; builders of nested scopes share the problems.
type builder struct {
	table    string
	versions [2]string
	problems *collector
	// at is the path of the scope from the root of either version, with the
	// lists that it crosses, for messages only.
	at  [2]path.Path
	out *Scope
	// ties are moves whose two places must be looked into, once both are there.
	ties []tie
	// keys are the names of the key members on both sides.
	keys [2][]string
}

type tie struct {
	ids    [2]int32
	claims [2]*claim
}

// scope pairs two values. each is set for the elements of a list that a row
// ties.
func (b *builder) scope(rows []v1alpha1.Row, schemas [2]*schema.Schema, titles string, at [2]path.Path, root bool, list *listKeys) *Scope {
	inner := &builder{table: b.table, versions: b.versions, problems: b.problems, at: at, out: &Scope{}}
	claims, all := inner.claims(rows, schemas, titles, root)
	inner.buildRows(all)
	if list != nil {
		inner.keys = inner.findKeys(list, claims, schemas)
	}
	inner.rootPair(claims, schemas, root)
	for len(inner.ties) > 0 {
		t := inner.ties[0]
		inner.ties = inner.ties[1:]
		inner.pair(t.ids, t.claims, false)
	}
	inner.finish()
	return inner.out
}

// node adds a node to a side.
func (b *builder) node(side Side, parent int32, name string, kind Kind, s *schema.Schema) int32 {
	nodes := &b.out.Nodes[side]
	id := int32(len(*nodes))
	*nodes = append(*nodes, Node{
		Name: name, Quoted: append(jsontext.Quote(nil, name), ':'),
		Kind: kind, Parent: parent, Twin: None, Row: None, Schema: s,
	})
	if parent != None {
		p := &(*nodes)[parent]
		p.Children = append(p.Children, id)
	}
	return id
}

// row adds a row without operands yet.
func (b *builder) row(r Row) int32 {
	b.out.Rows = append(b.out.Rows, r)
	return int32(len(b.out.Rows) - 1)
}

// operand makes a node the next operand of a row.
func (b *builder) operand(side Side, id, row int32, operand int) {
	b.out.Nodes[side][id].Row = row
	at := &b.out.Rows[row].At[side]
	for len(*at) <= operand {
		*at = append(*at, None)
	}
	(*at)[operand] = id
}

// rootPair pairs the values themselves: node 0 of both sides.
func (b *builder) rootPair(claims [2]*claim, schemas [2]*schema.Schema, root bool) {
	if schemas[Spoke].IsObject() && schemas[Hub].IsObject() {
		ids := [2]int32{}
		for _, side := range [...]Side{Spoke, Hub} {
			ids[side] = b.node(side, None, "", Container, schemas[side])
		}
		b.pair(ids, claims, root)
		return
	}
	if !schema.Fit(schemas[Spoke], schemas[Hub]) {
		b.misfit(path.Path{}, schemas)
		return
	}
	b.same(None, None, "", claims, schemas)
}

// pair makes two containers twins and decides on everything inside.
func (b *builder) pair(ids [2]int32, claims [2]*claim, root bool) {
	nodes := &b.out.Nodes
	var names []string
	var schemas [2]*schema.Schema
	for _, side := range [...]Side{Spoke, Hub} {
		n := &nodes[side][ids[side]]
		n.Twin = ids[side.Other()]
		schemas[side] = n.Schema
		names = claims[side].names(names)
		for name := range n.Schema.Members {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, key := range b.keys[side] {
			if n.Parent == None && !slices.Contains(names, key) {
				names = append(names, key)
			}
		}
	}
	unlike := schemas[Spoke].KeepsUnknown() != schemas[Hub].KeepsUnknown() ||
		(schemas[Spoke].Values == nil) != (schemas[Hub].Values == nil)
	for _, side := range [...]Side{Spoke, Hub} {
		nodes[side][ids[side]].KeepUnknown = unlike
	}
	b.pairValues(ids, schemas)
	slices.Sort(names)
	if root {
		names = b.pairRoot(ids, claims, names)
	}
	for _, name := range names {
		inner := [2]*claim{claims[Spoke].member(name), claims[Hub].member(name)}
		b.member(ids, name, inner, [2]*schema.Schema{schemas[Spoke].Member(name), schemas[Hub].Member(name)})
	}
}

// pairValues handles maps whose values differ between the versions, within a
// container that also has places of interest by name.
func (b *builder) pairValues(ids [2]int32, schemas [2]*schema.Schema) {
	s, h := schemas[Spoke].Values, schemas[Hub].Values
	if s != nil && h != nil && !schema.Same(s, h) {
		at := b.pathOf(Spoke, ids[Spoke])
		b.plain("tie the maps with each, and single entries by rows of their own in another place",
			"rows name single entries of %s, whose values differ between %s and %s", at, b.versions[Spoke], b.versions[Hub])
	}
}

// pairRoot handles apiVersion and metadata, which come first.
func (b *builder) pairRoot(ids [2]int32, claims [2]*claim, names []string) []string {
	var meta [2]int32
	for _, side := range [...]Side{Spoke, Hub} {
		s := b.out.Nodes[side][ids[side]].Schema
		b.node(side, ids[side], "apiVersion", APIVersion, s.Members["apiVersion"])
		meta[side] = b.node(side, ids[side], "metadata", Container, s.Members["metadata"])
	}
	b.pairMetadata(meta, [2]*claim{claims[Spoke].member("metadata"), claims[Hub].member("metadata")})
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "apiVersion" || name == "kind" || name == "metadata"
	})
}

func (b *builder) pairMetadata(meta [2]int32, claims [2]*claim) {
	for _, side := range [...]Side{Spoke, Hub} {
		b.out.Nodes[side][meta[side]].Twin = meta[side.Other()]
	}
	for _, name := range [...]string{"annotations", "labels"} {
		inner := [2]*claim{claims[Spoke].member(name), claims[Hub].member(name)}
		if name == "labels" && inner[Spoke] == nil && inner[Hub] == nil {
			continue
		}
		var ids [2]int32
		for _, side := range [...]Side{Spoke, Hub} {
			s := b.out.Nodes[side][meta[side]].Schema.Members[name]
			ids[side] = b.node(side, meta[side], name, Container, s)
			b.out.Nodes[side][ids[side]].Annotations = name == "annotations"
		}
		b.pair(ids, inner, false)
	}
}

// member decides on one name within twins.
func (b *builder) member(ids [2]int32, name string, claims [2]*claim, schemas [2]*schema.Schema) {
	key := b.out.Nodes[Spoke][ids[Spoke]].Parent == None && (slices.Contains(b.keys[Spoke], name) && !claims[Spoke].claimed() && !claims[Hub].claimed())
	switch {
	case claims[Spoke].claimed() || claims[Hub].claimed():
		for _, side := range [...]Side{Spoke, Hub} {
			if claims[side].claimed() {
				b.place(side, ids[side], name, claims[side], schemas[side])
				continue
			}
			b.private(side, ids[side], name, claims[side], schemas[side])
		}
	case schemas[Spoke] != nil && schemas[Hub] != nil:
		// Where unknown members are kept, the known ones must be nodes.
		copied := !b.out.Nodes[Spoke][ids[Spoke]].KeepUnknown
		if copied && !key && !claims[Spoke].leads() && !claims[Hub].leads() && schema.Same(schemas[Spoke], schemas[Hub]) {
			return // the same in both versions: copied
		}
		b.same(ids[Spoke], ids[Hub], name, claims, schemas)
	default:
		for _, side := range [...]Side{Spoke, Hub} {
			b.private(side, ids[side], name, claims[side], schemas[side])
		}
	}
}

// same ties a place to the place of the same name in the twin.
func (b *builder) same(spoke, hub int32, name string, claims [2]*claim, schemas [2]*schema.Schema) {
	parents := [2]int32{spoke, hub}
	s, h := schemas[Spoke], schemas[Hub]
	var at path.Path
	if spoke != None {
		at = b.pathOf(Spoke, spoke).Child(name)
	}
	if !schema.Fit(s, h) {
		b.misfit(at, schemas)
		return
	}
	if b.looksInto(claims, schemas) {
		var ids [2]int32
		for _, side := range [...]Side{Spoke, Hub} {
			ids[side] = b.node(side, parents[side], name, Container, schemas[side])
		}
		b.pair(ids, claims, false)
		return
	}
	text := at.String()
	r := Row{Kind: Move, Exact: schema.Same(s, h), Mark: mark("same", text)}
	b.elements(&r, nil, schemas, at, at)
	row := b.row(r)
	for _, side := range [...]Side{Spoke, Hub} {
		b.operand(side, b.node(side, parents[side], name, Operand, schemas[side]), row, 0)
	}
}

// looksInto says whether two places are objects of which the parts differ.
func (b *builder) looksInto(claims [2]*claim, schemas [2]*schema.Schema) bool {
	s, h := schemas[Spoke], schemas[Hub]
	if !s.IsObject() || !h.IsObject() {
		return false
	}
	if claims[Spoke].leads() || claims[Hub].leads() {
		return true
	}
	return !schema.Same(s, h) && !bothMaps(s, h)
}

// bothMaps says whether two places are maps with values of one kind each, or
// a map and a place of any type.
func bothMaps(s, h *schema.Schema) bool {
	mapLike := func(m *schema.Schema) bool { return m.Values != nil && m.Members == nil }
	return mapLike(s) && (mapLike(h) || h.IsAny()) || s.IsAny() && mapLike(h)
}

// elements turns a move between lists or maps whose elements differ into one
// that looks into them.
func (b *builder) elements(r *Row, w *written, schemas [2]*schema.Schema, spokeAt, hubAt path.Path) {
	s, h := schemas[Spoke], schemas[Hub]
	at := [2]path.Path{b.fullPath(Spoke, spokeAt), b.fullPath(Hub, hubAt)}
	var each *v1alpha1.Each
	title := ""
	if w != nil && w.Each != nil {
		each = w.Each
		title = w.title + ", each "
	}
	if r.Exact && each == nil {
		return
	}
	isList := s.Type == "array" || h.Type == "array"
	var rows []v1alpha1.Row
	if each != nil {
		rows = each.Rows
	}
	inner := [2]*schema.Schema{schema.Any(), schema.Any()}
	for side, of := range [2]*schema.Schema{s, h} {
		switch {
		case isList && of.Items != nil:
			inner[side] = of.Items
		case !isList && of.Values != nil:
			inner[side] = of.Values
		}
	}
	switch {
	case isList:
		if each == nil && schema.Same(inner[Spoke], inner[Hub]) {
			return
		}
		r.Kind, r.Exact = List, false
		keys := &listKeys{lists: schemas}
		if each != nil {
			keys.names, keys.unique, keys.w = each.Key, each.Unique, w
		}
		r.Elements = b.scope(rows, inner, title, at, false, keys)
	case each != nil || bothMaps(s, h) && !schema.Same(inner[Spoke], inner[Hub]):
		r.Kind, r.Exact = Dict, false
		r.Elements = b.scope(rows, inner, title, at, false, nil)
	}
}

// private decides on a place that only one version has, or that only one
// version may have because a row of the other claims its name.
func (b *builder) private(side Side, parent int32, name string, c *claim, s *schema.Schema) {
	if s == nil {
		// Not in the schema, so pruning removes it; should it come all the
		// same, it must not be taken for the other version's place.
		b.node(side, parent, name, Keep, schema.Any())
		return
	}
	if !c.leads() {
		id := b.node(side, parent, name, Keep, s)
		n := &b.out.Nodes[side][id]
		n.Fill, n.FillIsDefault = s.Default, s.Default != nil
		if side == Spoke {
			b.problems.private = append(b.problems.private, b.pathOf(side, id).String())
		}
		if p := &b.out.Nodes[side][parent]; p.Schema.Requires(name) && s.Default == nil {
			at := b.pathOf(side, id)
			b.plain(fmt.Sprintf("give it a constant: {%s: %s, constant: ...}, or tie it by a row", side, at),
				"the %s schema requires %s, and for objects of %s nothing fills it", b.versions[side], at, b.versions[side.Other()])
		}
		return
	}
	id := b.node(side, parent, name, Container, s)
	b.out.Nodes[side][id].KeepUnknown = true
	b.owned(side, id, c)
}

// owned decides on the inside of a container that only one version has.
func (b *builder) owned(side Side, id int32, c *claim) {
	s := b.out.Nodes[side][id].Schema
	names := c.names(nil)
	for name := range s.Members {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		inner := c.member(name)
		if inner.claimed() {
			b.place(side, id, name, inner, s.Member(name))
			continue
		}
		b.private(side, id, name, inner, s.Member(name))
	}
}

// plain reports a problem that belongs to no row.
func (b *builder) plain(remedy, format string, args ...any) {
	b.problems.add(Problem{Table: b.table, Version: b.versions[Spoke], Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (b *builder) misfit(at path.Path, schemas [2]*schema.Schema) {
	full := b.fullPath(Spoke, at)
	b.plain("tie it to another place by a row, or name it in a one-sided row for each version to keep the two apart",
		"%s is of type %s in %s and of type %s in %s", full, schemas[Spoke].Describe(), b.versions[Spoke], schemas[Hub].Describe(), b.versions[Hub])
}

// pathOf is the path of a node from the root of its version, for messages.
func (b *builder) pathOf(side Side, id int32) path.Path {
	var names path.Path
	for id != 0 && id != None {
		n := &b.out.Nodes[side][id]
		names = append(names, n.Name)
		id = n.Parent
	}
	slices.Reverse(names)
	return b.fullPath(side, names)
}

// mark condenses the meaning of a row into a few characters. It is part of the
// stash format.
func mark(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // only strings and values that were read from JSON get here
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}
