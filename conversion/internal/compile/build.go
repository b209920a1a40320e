package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Input is what a plan is made of.
type Input struct {
	Table    string // the name of the Crosswalk, for messages
	Versions [2]string
	Schemas  [2]*schema.Schema
	Rows     []v1alpha1.Row
	// Tables are named lists of rows.
	Tables map[string][]v1alpha1.Row
	// Parameters are the table's static values.
	Parameters map[string][]byte
	// Functions are those that rows may call.
	Functions map[string]mapping.Function
	// Revisions are those of the functions that rows call, as far as they have any.
	Revisions map[string]string
}

// Built is a plan with what was found while it was built.
type Built struct {
	*plan.Plan
	// Private are the fields of the spoke that the hub lacks and no row names.
	Private []Private
	found   *found
}

// Private is a field that only one version has.
type Private struct {
	// Path leads to it from the root, through lists, too.
	Path string
	// Row says how a row would separate it.
	Row string
}

// Build compiles the rows of one spoke. The plan must only be used if there are no problems.
func Build(in Input) (*Built, []diagnose.Problem) {
	seen := newKinds()
	p, problems := build(in, seen)
	if seen.late {
		p, problems = build(in, seen) // now the types of all fields without a schema are known
	}
	return p, problems
}

func build(in Input, seen *kinds) (*Built, []diagnose.Problem) {
	b := &builder{table: in.Table, versions: in.Versions, found: newFound(seen), tables: in.Tables, functions: in.Functions,
		cel: &compiler{whole: in.Schemas, versions: in.Versions, parameters: in.Parameters}}
	root := b.scope([]rowList{{rows: in.Rows}}, in.Schemas, [2]path.Path{}, true, nil)
	b.checkUsed()
	b.checkMissing()
	return &Built{&plan.Plan{Versions: in.Versions, Root: root}, b.found.private, b.found}, b.found.List
}

// Warnings are valid rows that the author has probably not meant.
func (b *Built) Warnings() []diagnose.Problem { return b.found.Warnings }

// Check returns the problems that can only be found once the plans of all versions are built.
func (b *Built) Check() []diagnose.Problem {
	found := len(b.found.List)
	for _, check := range b.found.deferred {
		check()
	}
	return b.found.List[found:]
}

// Finish sets what depends on the tables of all versions. It must be called once there are no problems.
func (b *Built) Finish() {
	for _, finish := range b.found.last {
		finish()
	}
	b.found.last = nil
	for side := range b.Root.Nodes {
		b.Root.Nodes[side][0].Schema.SetDefaultFades()
	}
}

// builder builds one scope. The builders of all scopes of a plan share found.
type builder struct {
	// table is the name of the Crosswalk.
	table    string
	versions [2]string
	found    *found
	tables   map[string][]v1alpha1.Row
	// functions are those that rows may call.
	functions map[string]mapping.Function
	// cel compiles expressions, and schemas are those of the scope.
	cel     *compiler
	schemas [2]*schema.Schema
	// claimed are the fields that the rows of the scope name.
	claimed [2]*claim
	// around are the scopes of elements around this one, the outermost first.
	around []*scopeAround
	// at is the path of the scope from the root of either version, for messages.
	at [2]path.Path
	// out is the scope that is being built.
	out *plan.Scope
	// moved are the objects that rows move. They are paired once both have a node.
	moved []movedObject
	// keys are those of the elements of a list.
	keys []mappedKey
	// refused are the fields of rows that were not built because they are wrong.
	refused [2][]path.Path
	// uses are the fields of the scope for which named tables are used.
	uses []diagnose.Use
}

// movedObject is an object that a row moves, as nodes, with the fields that rows name in it.
type movedObject struct {
	ids    [2]int32
	claims [2]*claim
}

// scope builds the scope of two values. c is nil, or the row of which they are elements.
func (b *builder) scope(lists []rowList, schemas [2]*schema.Schema, at [2]path.Path, root bool, c *collection) *plan.Scope {
	inner := &builder{table: b.table, versions: b.versions, found: b.found, tables: b.tables, around: b.around, at: at, cel: b.cel, functions: b.functions, schemas: schemas,
		out: &plan.Scope{Root: plan.None}}
	if c != nil {
		if same := b.sameScopeAround(c); same != nil {
			return same
		}
		if c.table != "" {
			inner.uses = []diagnose.Use{{Table: c.table, Place: at}}
		}
		inner.around = append(inner.around[:len(inner.around):len(inner.around)], &scopeAround{c: c, scope: inner.out})
	}
	claims, all := inner.claims(lists, schemas, root)
	inner.claimed = claims
	whole := rootRow(claims)
	if c != nil {
		inner.out.Loose = whole != nil || c.forms[plan.Spoke] != c.forms[plan.Hub] || c.part != "" || c.forms[plan.Spoke] == plan.List && !areInterchangeable(c.elements)
	}
	if c != nil {
		inner.reachKeys(c.keys, claims, schemas)
	}
	inner.buildRows(all)
	if whole == nil && namesItself(lists) {
		return inner.out // such a row is wrong, and has been reported
	}
	if whole == nil && len(all) > 0 && !(schemas[plan.Spoke].IsObject() && schemas[plan.Hub].IsObject()) {
		inner.problem(all[0], "remove the row", "the field that contains it is of type %s in %s and of type %s in %s, so it has no fields to map or to drop",
			schemas[plan.Spoke].Describe(), b.versions[plan.Spoke], schemas[plan.Hub].Describe(), b.versions[plan.Hub])
	}
	if c != nil {
		if c.naming != nil {
			inner.claimNames(c, claims)
		}
		inner.claimFixed(c, claims, schemas)
		inner.warnUnmet(c, claims, schemas)
		if c.keys != nil && c.forms[plan.Spoke] == plan.List && c.forms[plan.Hub] == plan.List {
			inner.keys = inner.findKeys(c.keys, claims, schemas)
			watchKeys(placesOf(inner.keys), claims)
		}
	}
	if whole != nil {
		inner.pairWhole(whole, claims, schemas)
	} else {
		inner.rootPair(claims, schemas, root, c)
	}
	for len(inner.moved) > 0 {
		t := inner.moved[0]
		inner.moved = inner.moved[1:]
		inner.pair(t.ids, t.claims, false)
	}
	inner.finish()
	inner.watch(all)
	return inner.out
}

// areInterchangeable reports whether every element of one side is valid on the other.
func areInterchangeable(elements [2]*schema.Schema) bool {
	return elements[plan.Spoke].Includes(elements[plan.Hub]) && elements[plan.Hub].Includes(elements[plan.Spoke])
}

// node adds a node to a side.
func (b *builder) node(side plan.Side, parent int32, name string, kind plan.Kind, s *schema.Schema) int32 {
	nodes := &b.out.Nodes[side]
	id := int32(len(*nodes))
	*nodes = append(*nodes, plan.Node{
		Name: name, Quoted: append(jsontext.Quote(nil, name), ':'),
		Kind: kind, Parent: parent, Twin: plan.None, Row: plan.None, Schema: s,
	})
	if parent != plan.None {
		p := &(*nodes)[parent]
		p.Children = append(p.Children, id)
	}
	return id
}

// row adds a row without operands yet.
func (b *builder) row(r plan.Row) int32 {
	b.out.Rows = append(b.out.Rows, r)
	return int32(len(b.out.Rows) - 1)
}

// operand makes a node the next operand of a row.
func (b *builder) operand(side plan.Side, id, row int32, operand int) {
	b.out.Nodes[side][id].Row = row
	at := &b.out.Rows[row].At[side]
	for len(*at) <= operand {
		*at = append(*at, plan.None)
	}
	(*at)[operand] = id
}

// rootPair pairs the values themselves: node 0 of both sides.
func (b *builder) rootPair(claims [2]*claim, schemas [2]*schema.Schema, root bool, c *collection) {
	if schemas[plan.Spoke].IsObject() && schemas[plan.Hub].IsObject() {
		ids := [2]int32{}
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			ids[side] = b.node(side, plan.None, "", plan.Container, schemas[side])
		}
		b.pair(ids, claims, root)
		return
	}
	if !schema.Fit(schemas[plan.Spoke], schemas[plan.Hub]) {
		if c != nil && c.forms[plan.Spoke] == c.forms[plan.Hub] && c.part == "" {
			b.reportUnlike(c)
			return
		}
		b.misfit(b.at[plan.Spoke], schemas)
		return
	}
	b.pairSame(plan.None, plan.None, "", claims, schemas)
}

// plain reports a problem that belongs to no row of the scope. It names the row that maps the
// elements of the scope.
func (b *builder) plain(remedy, format string, args ...any) {
	p := diagnose.Problem{Table: b.table, Version: b.versions[plan.Spoke], Message: fmt.Sprintf(format, args...), Remedy: remedy}
	shape := p.Without(b.uses)
	if around := b.rowAround(); around != nil {
		nameRow(&p, around.w)
	}
	b.found.Add(p, shape)
}

// pathOf returns the path of a node from the root of its version, for messages.
func (b *builder) pathOf(side plan.Side, id int32) path.Path {
	return b.fullPath(side, b.within(side, id))
}

// within returns the path of a node from the value of the scope.
func (b *builder) within(side plan.Side, id int32) path.Path {
	var names path.Path
	for id != 0 && id != plan.None {
		n := &b.out.Nodes[side][id]
		names = append(names, n.Name)
		id = n.Parent
	}
	slices.Reverse(names)
	return names
}

// rowFor returns a row with one side, as an author has to write it for a node.
func (b *builder) rowFor(side plan.Side, id int32, rest string) string {
	return fmt.Sprintf("{%s: %s%s}", side, diagnose.Path(b.within(side, id)), rest)
}
