package engine

import (
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// container explains an object of the target at a path. named is the row that made it, or nil if it
// is the same in both versions.
func (x *explainer) container(g, id int32, at string, named *plan.RowName) {
	x.caller.Work(1 + len(x.nodes(g)[id].Children))
	if id == 0 {
		x.explainUncomputed(g, at)
	}
	n, s := &x.nodes(g)[id], x.peek(g, id)
	before := len(x.out.Origins)
	from, twin := "", n.Twin != none && x.frames[g].mate != none
	if twin {
		from = x.where[x.frames[g].mate] + x.path(x.frames[g].mate, n.Twin)
	}
	for r := s.first; r != none; r = x.runs[r].next {
		for _, m := range members(x.runs[r].text) {
			x.explainSame(at+suffix([]string{m.name}), from+suffix([]string{m.name}), named, m.value, n.Schema.Member(m.name))
		}
	}
	for _, child := range n.Children {
		if x.peek(g, child).present() {
			x.child(g, child, at+suffix([]string{x.nodes(g)[child].Name}), named)
		}
	}
	switch {
	case len(x.out.Origins) > before || at == "":
	case twin:
		x.explainSame(at, from, named, []byte("{}"), n.Schema)
	default:
		x.add(x.emptyObject(g, id, at), []byte("{}"), n.Schema)
	}
}

// emptyObject explains an empty object that only the target's version has: a row represents
// something by the absence of a field in it.
func (x *explainer) emptyObject(g, id int32, at string) explain.Origin {
	f, side := x.frames[g].mate, x.frames[g].side
	for i := range x.frames[g].scope.Rows {
		r := &x.frames[g].scope.Rows[i]
		if r.Default[side] != nil && x.isIn(g, r.At[side][0], id) && x.hasInput(f, r) {
			o, _ := x.explainMade(f, r, at, x.nodes(g)[r.At[side][0]].Named)
			return o
		}
	}
	return explain.Origin{Path: at, By: explain.ByDefault}
}

// child explains the value of a node of the target.
func (x *explainer) child(g, id int32, at string, named *plan.RowName) {
	n, s := &x.nodes(g)[id], x.peek(g, id)
	if n.Named != nil {
		named = n.Named
	}
	switch {
	case n.Kind == plan.APIVersion:
	case n.Kind == plan.Parted && s.state == parted:
		x.explainParted(g, id, at)
	case n.Kind == plan.Fixed:
		x.add(explain.Origin{Path: at, By: explain.ByRow, Row: title(named)}, s.text, n.Schema)
	case s.state != list && (n.Fill != nil || n.FillsValue) && !n.ForConstant && identical(s.text, n.Filled):
		o := explain.Origin{Path: at, By: explain.ByDefault}
		if n.Kind == plan.Keep && !n.FillIsDefault && !n.FromAround && n.Named != nil {
			o.By, o.Row = explain.ByConstant, n.Named.Row
		}
		x.add(o, x.emit(nil, g, id), n.Schema)
	case n.Kind == plan.Container && s.state == object:
		x.container(g, id, at, named)
	case n.Kind == plan.Container:
		from := at
		if mate := x.frames[g].mate; mate != none && n.Twin != none {
			from = x.where[mate] + x.path(mate, n.Twin)
		}
		x.explainSame(at, from, named, x.emit(nil, g, id), n.Schema)
	case n.Kind == plan.Name:
		x.add(explain.Origin{Path: at, By: explain.ByRow, Row: title(named), From: []string{x.where[x.frames[g].mate]}}, s.text, n.Schema)
	case s.state == list && s.first != none:
		x.elements(g, id, func(e int32, position string) { x.element(e, at+position, named) })
	default:
		x.operand(g, id, at, named)
	}
}

// element explains an element of a list, or a value of a map, of the target.
func (x *explainer) element(e int32, at string, named *plan.RowName) {
	if x.frames[e].name != nil && !x.peek(e, 0).present() {
		return // a map does not contain it
	}
	if x.frames[e].mate == none {
		x.add(explain.Origin{Path: at, By: explain.ByDefault}, x.emit(nil, e, 0), x.nodes(e)[0].Schema)
		return
	}
	if x.nodes(e)[0].Kind == plan.Container && x.peek(e, 0).state == object {
		x.container(e, 0, at, named)
		return
	}
	x.child(e, 0, at, named)
}

// explainUncomputed explains the fields of a frame of the target, at a path, that rows could not compute.
// If the row has fields of its own in the source, they are kept, and their explanation tells why.
func (x *explainer) explainUncomputed(g int32, at string) {
	f := x.frames[g].mate
	if f == none {
		return
	}
	for i := range x.frames[g].scope.Rows {
		r := &x.frames[g].scope.Rows[i]
		own := slices.ContainsFunc(r.At[x.frames[f].side], func(id int32) bool { return x.peek(f, id).present() })
		if r.Kind != plan.Compute || own {
			continue
		}
		if _, present := x.read(f, r); len(present) == 0 {
			continue
		}
		if needs, ok := x.needs(f, r); !ok {
			for _, id := range r.At[x.frames[g].side] {
				x.out.AddUncomputed(explain.Uncomputed{Path: at + x.path(g, id), Row: title(x.nodes(g)[id].Named), Needs: needs})
			}
		}
	}
}

// explainParted explains a list with parts.
func (x *explainer) explainParted(g, id int32, at string) {
	n := &x.nodes(g)[id]
	if n.Parts.Choice != nil {
		e, part := x.chosenElement(g, id)
		x.element(e, at, x.nodes(g)[n.Parts.All[part].Node].Named)
		return
	}
	all := x.partedElements(g, id)
	for i, e := range all {
		var named *plan.RowName
		if x.frames[e].mate != none {
			named = x.nodes(g)[n.Parts.All[x.partOf(g, n, e)].Node].Named
		}
		x.element(e, at+"["+strconv.Itoa(i)+"]", named)
	}
	if len(all) == 0 {
		x.add(explain.Origin{Path: at, By: explain.ByDefault}, []byte("[]"), n.Schema)
	}
}

// operand explains what a row has written.
func (x *explainer) operand(g, id int32, at string, named *plan.RowName) {
	n, f := &x.nodes(g)[id], x.frames[g].mate
	if f == none || n.Row == none {
		x.explainSame(at, at, named, x.emit(nil, g, id), n.Schema)
		return
	}
	r := &x.frames[g].scope.Rows[n.Row]
	o, places := x.explainMade(f, r, at, named)
	if named == nil && r.Kind != plan.Map && r.Reads[plan.Spoke] == nil && r.Reads[plan.Hub] == nil {
		x.explainSame(at, places[0], nil, nil, nil)
		return
	}
	x.add(o, x.emit(nil, g, id), n.Schema)
}

// explainMade explains what a row has made at a path of what it reads in f, and returns the paths of what
// it reads.
func (x *explainer) explainMade(f int32, r *plan.Row, at string, named *plan.RowName) (o explain.Origin, places []string) {
	o = explain.Origin{Path: at, By: explain.ByRow, Row: title(named)}
	if r.Reads[plan.Spoke] != nil || r.Reads[plan.Hub] != nil {
		places, o.From = x.read(f, r)
	} else {
		for _, source := range r.At[x.frames[f].side] {
			place := x.where[f] + x.path(f, source)
			places = append(places, place)
			if x.peek(f, source).present() {
				o.From = append(o.From, place)
			}
		}
	}
	if len(places) > 0 && len(o.From) == 0 {
		o.By, o.From = explain.ByAbsence, places
	}
	return o, places
}

// explainSame explains a copied value.
func (x *explainer) explainSame(at, from string, named *plan.RowName, value []byte, of *schema.Schema) {
	if named == nil {
		x.out.Add(explain.Origin{Path: at, By: explain.BySame})
		return
	}
	x.add(explain.Origin{Path: at, By: explain.ByRow, Row: named.Row, From: []string{from}}, value, of)
}

// add adds an origin with its value.
func (x *explainer) add(o explain.Origin, value []byte, of *schema.Schema) {
	if of != nil && of.Sensitive {
		o.Sensitive = true
	} else {
		o.Value = schema.Content(nil, value, of)
	}
	x.out.Add(o)
}

func title(named *plan.RowName) string {
	if named == nil {
		return ""
	}
	return named.Row
}

// identical reports whether two texts are the same memory, and not only equal: then one was copied
// from the other.
func identical(a, b []byte) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// copiedMember is a copied member of an object.
type copiedMember struct {
	name  string
	value []byte
}

// members returns the members in a run.
func members(run []byte) []copiedMember {
	var scan jsontext.Scanner
	text := append(append([]byte{'{'}, run...), '}')
	scan.Reset(text)
	o := scan.Object(0)
	var all []copiedMember
	for {
		name, ok, err := o.Next()
		if err != nil || !ok {
			return all
		}
		if o.End, err = scan.Value(o.Value, 0); err != nil {
			return all
		}
		all = append(all, copiedMember{string(unquote(name.Bytes(text))), text[o.Value:o.End]})
	}
}
