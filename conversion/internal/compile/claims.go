package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// writtenRow is a row as its author wrote it, with its paths resolved.
type writtenRow struct {
	v1alpha1.Row
	// title is what problems call the row, for example "row 3".
	title string
	// mapping is the row's mapping, nil if the row moves or copies the value.
	mapping *rowMapping
	// names, paths and schemas are those of the fields of either side.
	names   [2][]string
	paths   [2][]path.Path
	schemas [2][]*schema.Schema
	// claims are the claims of the first field of either side, and allClaims those of all fields.
	claims    [2]*claim
	allClaims [2][]*claim
	// again says that the row belongs to a table that is used within itself.
	again bool
	// within are the named tables that the row is in.
	within []string
	// prefix are the objects for which the row's table is used.
	prefix [2]path.Path
	// implied says that the row is not written in the table: a mapping implies it.
	implied bool
	// broken says that a problem of the row has been reported.
	broken bool
	// isName says that the row is for the key that an element has in a map.
	isName bool
	// fixed is the value that the row gives every element of a part.
	fixed []byte
	// parts are the parts that a row splits a list or a value into, and merged is the side with the
	// list or the value.
	parts  *plan.Parts
	merged plan.Side
	// index is the row's number in the scope, None until it is built.
	index int32
	// deep says that the fields are objects whose fields are paired one by one. pairedNodes has
	// their nodes once they are made, and 0 before.
	deep        bool
	pairedNodes [2]int32
}

func (w *writtenRow) side(side plan.Side) *v1alpha1.Place {
	if side == plan.Spoke {
		return w.Spoke
	}
	return w.Hub
}

// hasMapping reports whether the row has a mapping.
func (w *writtenRow) hasMapping(mapping string) bool {
	return w.mapping != nil && w.mapping.name == mapping
}

// onlySide returns the side of the only field that the row names. It returns false if the row names
// several.
func (w *writtenRow) onlySide() (plan.Side, bool) {
	switch {
	case w.mapping != nil && w.mapping.alone:
	case w.Hub == nil:
		return plan.Spoke, true
	case w.Spoke == nil:
		return plan.Hub, true
	}
	return 0, false
}

// problem makes a problem of this row.
func (b *builder) problem(w *writtenRow, remedy, format string, args ...any) {
	p := diagnose.Problem{Table: b.table, Version: b.versions[plan.Spoke], Message: fmt.Sprintf(format, args...), Remedy: remedy}
	nameRow(&p, w)
	if len(w.within) == 0 {
		b.found.Add(p, p)
		return
	}
	b.found.Add(p, p.Without([]diagnose.Use{{Place: w.prefix}}))
}

// warning makes a warning of this row.
func (b *builder) warning(w *writtenRow, remedy, format string, args ...any) {
	p := diagnose.Problem{Table: b.table, Version: b.versions[plan.Spoke], Message: fmt.Sprintf(format, args...), Remedy: remedy}
	nameRow(&p, w)
	shape := p
	if len(w.within) > 0 {
		shape = p.Without([]diagnose.Use{{Place: w.prefix}})
	}
	shape.Remedy = ""
	b.found.Warn(p, shape.Without(b.uses))
}

// nameRow sets the row of a problem.
func nameRow(p *diagnose.Problem, w *writtenRow) {
	p.Row, p.Spoke, p.Hub = w.title, placeText(w.Spoke), placeText(w.Hub)
}

func placeText(p *v1alpha1.Place) string {
	switch {
	case p == nil:
		return ""
	case p.Named == nil:
		return p.Path
	}
	paths := make([]string, 0, len(p.Named))
	for _, name := range slices.Sorted(maps.Keys(p.Named)) {
		paths = append(paths, p.Named[name])
	}
	return strings.Join(paths, ", ")
}

// claims reads the rows of a scope and resolves their paths in the schemas.
func (b *builder) claims(lists []rowList, schemas [2]*schema.Schema, root bool) (claims [2]*claim, all []*writtenRow) {
	claims = [2]*claim{{}, {}}
	for _, w := range b.writtenRows(lists, schemas) {
		if w.broken || !b.checkShape(w) {
			b.refuse(w, schemas)
			continue
		}
		if w.again && b.isPastEnd(w, schemas) || b.namesNothing(w, schemas, root) {
			continue
		}
		ok := true
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			if w.side(side) != nil && (ok || !b.areSidesExchanged(w)) { // the problem is reported for the spoke
				ok = b.resolve(w, side, schemas[side], root) && ok
			}
		}
		if !ok {
			b.refuse(w, schemas)
			continue
		}
		if root && w.CEL == nil {
			b.checkAreas(w)
		}
		b.checkWhole(w)
		all = append(all, w)
		for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
			for operand, p := range w.paths[side] {
				b.insert(claims[side], w, side, operand, p)
			}
		}
	}
	return claims, all
}

// resolve parses the paths of one side and finds their schemas.
func (b *builder) resolve(w *writtenRow, side plan.Side, s *schema.Schema, root bool) bool {
	place := w.side(side)
	texts := []string{place.Path}
	w.names[side] = []string{""}
	if place.Named != nil {
		w.names[side] = slices.Sorted(maps.Keys(place.Named))
		texts = texts[:0]
		for _, name := range w.names[side] {
			texts = append(texts, place.Named[name])
		}
	}
	ok := true
	for i, text := range texts {
		p, err := path.Parse(text)
		if err != nil {
			b.problem(w, "", "%v", err)
			ok = false
			continue
		}
		found := b.lookup(w, side, s, p, root)
		ok = ok && found != nil
		if found != nil && w.Sensitive {
			found = s.Declare(p)
			found.Sensitive = true
		}
		if found != nil && w.Drop != "" {
			found.Drop()
		}
		w.paths[side] = append(w.paths[side], p)
		if found != nil {
			found = b.found.kinds.known(w, side, w.names[side][i], found)
		}
		w.schemas[side] = append(w.schemas[side], found)
	}
	return ok
}

// lookup finds the schema of a path, or reports why there is none.
func (b *builder) lookup(w *writtenRow, side plan.Side, root *schema.Schema, p path.Path, top bool) *schema.Schema {
	if top {
		if len(p) == 0 {
			b.problem(w, "name a field in it", "%s path .: the path . is only valid in the rows for the elements of a list or map", side)
			return nil
		}
		switch p[0] {
		case "apiVersion", "kind":
			b.problem(w, "remove the row", "%s path %s: Crosswalk itself sets %s", side, p, p[0])
			return nil
		case "metadata":
			if len(p) != 3 || p[1] != "annotations" && p[1] != "labels" {
				b.problem(w, "write it as .metadata.annotations['example.com/name']", "%s path %s: in metadata, a row can only name a single label or annotation", side, p)
				return nil
			}
			if strings.HasSuffix(strings.Split(p[2], "/")[0], "crosswalk.dev") {
				b.problem(w, "use a prefix of your own", "%s path %s: annotations of crosswalk.dev are reserved for Crosswalk", side, p)
				return nil
			}
		}
	}
	s := root
	for i, name := range p {
		if s.Type == "array" {
			b.problem(w, b.rowsWithin(w, side, p, i, top), "%s path %s: %s is a list", side, p, path.Path(p[:i]))
			return nil
		}
		if s = s.Member(name); s == nil {
			remedy := b.similarPath(w, side, root, p, top)
			if other := b.schemas[side.Other()]; other != nil && other.At(p) != nil {
				remedy += "; a field that only " + b.versions[side.Other()] + " has needs no row"
			}
			if b.areSidesExchanged(w) {
				remedy = "exchange the two: spoke is for fields of " + b.versions[plan.Spoke] + ", hub for fields of " + b.versions[plan.Hub]
			}
			b.problem(w, remedy, "%s path %s is not in the %s schema", side, p, b.versions[side])
			return nil
		}
	}
	return s
}

// rowsWithin returns a remedy for a path p into the elements of the list p[:i]: rows for the
// elements, by a mapping for lists if the other version has a list, too.
func (b *builder) rowsWithin(w *writtenRow, side plan.Side, p path.Path, i int, top bool) string {
	remedy := fmt.Sprintf("map the lists with each: {rows: [...]}, and write %s as a path that starts at the element", path.Path(p[i:]))
	place := w.side(side.Other())
	if !top || place == nil || b.schemas[side.Other()] == nil {
		return remedy
	}
	other, err := path.Parse(place.Path)
	if found := b.schemas[side.Other()].At(other); err != nil || len(other) == 0 || found == nil || found.Type == "array" {
		return remedy
	}
	alone := len(other)
	if alone > 2 {
		alone-- // the list has elements for what is around a member
	}
	var outer, inner [2]string
	outer[side], inner[side] = diagnose.Path(p[:i]), diagnose.Path(path.Path(p[i:]))
	outer[side.Other()], inner[side.Other()] = diagnose.Path(other[:alone]), diagnose.Path(other[alone:])
	return fmt.Sprintf("if %s corresponds to the only or the first element, write {spoke: %s, hub: %s, single: {rows: [{spoke: %s, hub: %s}]}}; if it corresponds to elements with a certain value, use where",
		other[:alone], outer[plan.Spoke], outer[plan.Hub], inner[plan.Spoke], inner[plan.Hub])
}

// checkAreas reports a row without crosses, if clients that may write one part of an object could
// write another part through it.
func (b *builder) checkAreas(w *writtenRow) {
	areas := map[string]bool{}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for _, p := range w.paths[side] {
			areas[area(p)] = true
		}
	}
	b.checkCrosses(w, areas)
}

// area returns the part of an object for which write access is granted: spec, status or metadata.
func area(p path.Path) string {
	if p[0] == "status" || p[0] == "metadata" {
		return p[0]
	}
	return "spec"
}

func (b *builder) checkCrosses(w *writtenRow, areas map[string]bool) {
	if len(areas) > 1 && !w.Crosses {
		b.problem(w, "write crosses: true if that is intended", "the row connects %s, so a client that may write one of them also writes the other", strings.Join(slices.Sorted(maps.Keys(areas)), " and "))
	}
}
