package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// compiler creates the environments of expressions when they are needed.
type compiler struct {
	whole      [2]*schema.Schema
	versions   [2]string
	parameters map[string][]byte

	library   *expression.Library
	constants *expression.Constants
	made      map[readable]*expression.Environment
}

// readable is what expressions can read: an object of one version.
type readable struct {
	side plan.Side
	self *schema.Schema
}

func (c *compiler) environment(side plan.Side, self *schema.Schema) (*expression.Environment, error) {
	if c.library == nil {
		library, err := expression.NewLibrary()
		if err != nil {
			return nil, err
		}
		c.library, c.constants = library, expression.NewConstants(c.parameters)
		c.made = map[readable]*expression.Environment{}
	}
	key := readable{side, self}
	if made := c.made[key]; made != nil {
		return made, nil
	}
	made, err := c.library.Environment(c.versions[side], self, c.whole[side], c.constants)
	if err == nil {
		c.made[key] = made
	}
	return made, err
}

func (b *builder) checkCEL(w *writtenRow) {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		e, name := w.expressions(side), direction(side)
		place := w.side(side)
		switch {
		case place == nil && e != nil:
			b.problem(w, fmt.Sprintf("remove it, or add the %s field that it computes", side), "cel: %s computes nothing, because the row has no %s field", name, side)
		case place == nil:
		case e == nil:
			b.problem(w, fmt.Sprintf("add it; cel: {%s: optional.none()} leaves the field absent", name), "cel: there is no expression for the %s field: %s is missing", side, name)
		case place.Named == nil && e.Named != nil:
			b.problem(w, "write one expression", "cel: %s has several expressions, but the row has one %s field", name, side)
		case place.Named != nil && e.Named == nil:
			b.problem(w, fmt.Sprintf("write one for each: %s: {%s: ...}", name, strings.Join(slices.Sorted(maps.Keys(place.Named)), ": ..., ")), "cel: %s has one expression, but the row has several %s fields", name, side)
		case place.Named != nil && !slices.Equal(slices.Sorted(maps.Keys(place.Named)), slices.Sorted(maps.Keys(e.Named))):
			b.problem(w, "write an expression for each field", "cel: %s has expressions for %s, but the %s fields are %s", name, diagnose.Listed(slices.Sorted(maps.Keys(e.Named))), side, diagnose.Listed(slices.Sorted(maps.Keys(place.Named))))
		}
	}
	if w.Default != nil {
		b.problem(w, w.withoutDefault(), "cel: the row has a default, but the expressions themselves must handle absent fields")
	}
}

// expressions returns those that compute the fields of a side.
func (w *writtenRow) expressions(side plan.Side) *v1alpha1.Expressions {
	if side == plan.Hub {
		return w.CEL.ToHub
	}
	return w.CEL.ToSpoke
}

func direction(to plan.Side) string {
	if to == plan.Hub {
		return "toHub"
	}
	return "toSpoke"
}

func (b *builder) celRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	c := &mapping.CEL{Within: [2]int{-1, -1}}
	r.Kind, r.Computer = plan.Compute, c
	ok := true
	for _, to := range [...]plan.Side{plan.Spoke, plan.Hub} {
		r.Needs[to] = "a value that the expression can convert"
		if w.side(to) != nil {
			ok = b.compile(w, r, c, to) && ok
		}
	}
	b.checkSecrets(w, r.Reads)
	return ok
}

// checkSecrets reports sensitive fields that a row computes or reads.
func (b *builder) checkSecrets(w *writtenRow, reads [2][]expression.Read) {
	check := func(s *schema.Schema, p path.Path) {
		if holdsSensitive(s) {
			b.problem(w, "use a row without a mapping for it, or drop it with a reason", "cel: %s is sensitive, but a value that cannot be computed back is kept in an annotation, with a hash of the fields that the expression reads", p)
		}
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		for i, s := range w.schemas[side] {
			check(s, w.paths[side][i])
		}
		for _, read := range reads[side] {
			if !read.Presence {
				check(read.Schema, read.Path)
			}
		}
	}
}

// compile compiles the expressions for the fields of a side.
func (b *builder) compile(w *writtenRow, r *plan.Row, c *mapping.CEL, to plan.Side) bool {
	from := to.Other()
	self := b.schemas[from].At(w.prefix[from])
	environment, err := b.cel.environment(from, self)
	if err != nil {
		b.problem(w, "", "cel: the environment of expressions cannot be created: %v", err)
		return false
	}
	if p := w.prefix[from]; len(p) > 0 {
		c.Within[from] = numberOf(r, from, expression.Read{Path: p, Presence: true, Object: true, Schema: self})
	}
	e := w.expressions(to)
	for i, name := range w.names[to] {
		text, title := e.One, direction(to)
		if e.Named != nil {
			text, title = e.Named[name], direction(to)+" "+name
		}
		compiled, wrong := environment.Compile(text, w.schemas[to][i])
		if wrong != nil {
			b.problem(w, wrong.Remedy, "cel: %s: %s", title, wrong.Message)
			return false
		}
		b.warnCost(w, title, compiled, from)
		b.warnOptional(w, to, i, title, compiled)
		for _, name := range compiled.Parameters {
			b.found.parameter(name)
		}
		p := mapping.Program{Program: compiled, Of: title}
		for _, read := range compiled.Reads {
			if !read.Outside && len(w.prefix[from]) > 0 {
				read.Path = append(w.prefix[from][:len(w.prefix[from]):len(w.prefix[from])], read.Path...)
			}
			p.Reads = append(p.Reads, numberOf(r, from, read))
		}
		c.Programs[from] = append(c.Programs[from], p)
	}
	b.checkReads(w, r, to)
	return true
}

// numberOf returns the number of a read of a side. It adds the read if it is new.
func numberOf(r *plan.Row, from plan.Side, read expression.Read) int {
	at := slices.IndexFunc(r.Reads[from], read.Same)
	if at < 0 {
		at = len(r.Reads[from])
		r.Reads[from] = append(r.Reads[from], read)
	}
	return at
}

// checkReads is checkAreas for the fields that expressions read and compute.
func (b *builder) checkReads(w *writtenRow, r *plan.Row, to plan.Side) {
	areas := map[string]bool{}
	for _, p := range w.paths[to] {
		if full := b.fullPath(to, p); len(full) > 0 {
			areas[area(full)] = true
		}
	}
	for _, read := range r.Reads[to.Other()] {
		full := read.Path
		if !read.Outside {
			full = b.fullPath(to.Other(), read.Path)
		}
		if len(full) == 0 || full[0] == "metadata" && len(full) == 2 {
			continue // the name of an object is in no area
		}
		areas[area(path.Path(full))] = true
	}
	b.checkCrosses(w, areas)
}
