package engine

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// residual is an entry of the own stash, as it was written.
type residual struct {
	frame, node int32
	member      []byte
	entry       stash.Entry
	// status says that it is in the status's stash, and number that it is the entry
	// of this number.
	status bool
	number int
}

func (c *conversion) noteResidual(f, id int32, member []byte, e stash.Entry) {
	r := residual{frame: f, node: id, entry: e, status: e.OfStatus()}
	r.member, r.entry.Value = bytes.Clone(member), bytes.Clone(e.Value)
	w := &c.outgoing[0]
	if r.status {
		w = &c.outgoing[1]
	}
	r.number = w.Len() - 1
	c.residuals = append(c.residuals, r)
}

// kept explains the entries of the own stash.
func (x *explainer) kept() {
	for _, r := range x.residuals {
		w := &x.outgoing[0]
		if r.status {
			w = &x.outgoing[1]
		}
		k := explain.Kept{Path: x.where[r.frame] + x.path(r.frame, r.node), Why: explain.WhyPrivate, LeftOut: w.IsOut(r.number)}
		n := &x.nodes(r.frame)[r.node]
		if n.Named != nil {
			k.Row = n.Named.Row
		}
		if !n.Schema.Sensitive {
			k.Value = r.entry.Value
		}
		switch {
		case r.member != nil:
			k.Path += path.Path{string(unquote(r.member))}.String()
		case r.entry.Order != nil:
			k.Why = explain.WhyOrder
		case n.Kind == plan.Operand:
			x.keptOperand(&k, r, n)
		case r.entry.Value == nil:
			k.Why = explain.WhyAbsent
		case n.Kind == plan.Parted && n.Parts.Choice != nil:
			k.Why, k.Needs = explain.WhyUnmapped, n.Parts.Choice.Needs
		case n.Kind == plan.Container || n.Kind == plan.Parted:
			k.Why = explain.WhyShape
		}
		x.out.AddKept(k)
	}
}

// keptOperand finds out what a row makes of a value, and of what it has made.
func (x *explainer) keptOperand(k *explain.Kept, r residual, n *plan.Node) {
	if x.frames[r.frame].mate == none {
		if needs, ok := x.needsElement(r.frame); !ok {
			k.Why, k.Needs = explain.WhyUnmapped, needs
		}
		return // a whole element, which has no counterpart
	}
	if n.Row == none {
		return
	}
	row := &x.frames[r.frame].scope.Rows[n.Row]
	side := x.frames[r.frame].side
	mark := len(x.outs)
	defer func() { x.outs = x.outs[:mark] }()
	if r.entry.Value == nil || x.peek(r.frame, r.node).state == absent {
		k.Why = explain.WhyAbsent
	} else if needs, ok := x.needs(r.frame, row); !ok {
		k.Why, k.Needs = explain.WhyUnmapped, needs
		return
	} else {
		k.Why = explain.WhyInexact
	}
	if outs, ok := x.eval(x.frames[r.frame].mate, row); ok && !n.Schema.Sensitive {
		for i, id := range row.At[side] {
			if id == r.node && outs[i] != nil {
				k.Back = schema.Content(nil, outs[i], n.Schema)
			}
		}
	}
}

// unused explains the entries of the target's stash that were not used.
func (x *explainer) unused(target int32) {
	for i := range x.incoming {
		e := &x.incoming[i]
		at := x.locate(target, e.At)
		if at.frame != none && x.used(at, e) {
			continue
		}
		u := explain.Unused{Path: string(appendPath(nil, e.At)), Reason: "the element or field that contains it does not exist"}
		if at.frame != none {
			u.Reason = x.whyUnused(at, e)
		}
		x.out.AddUnused(u)
	}
}

// used reports whether an entry has made what is at its place.
func (x *explainer) used(at spot, e *stash.Entry) bool {
	at = x.about(at, e)
	s := x.peek(at.frame, at.node)
	switch {
	case e.Order != nil:
		return s.state == list || s.state == parted
	case at.member != nil:
		for u := s.kept; u != none; u = x.unknowns[u].next {
			if identical(x.unknowns[u].value, e.Value) {
				return true
			}
		}
		return false
	case e.Value == nil:
		return s.state == gone
	}
	return identical(s.text, e.Value) || s.state == object && string(e.Value) == "{}"
}

func (x *explainer) whyUnused(at spot, e *stash.Entry) string {
	n := &x.nodes(at.frame)[at.node]
	mate := x.frames[at.frame].mate
	switch {
	case n.Kind == plan.Operand && n.Row != none && mate != none && e.Guard != nil:
		r := &x.frames[at.frame].scope.Rows[n.Row]
		if string(e.Row) != r.Mark {
			return "the meaning of the row has changed"
		}
		if !bytes.Equal(x.guardOf(at.frame, r), e.Guard) {
			var places string
			for i, id := range r.At[x.frames[mate].side] {
				if i > 0 {
					places += " or "
				}
				places += x.where[mate] + x.path(mate, id)
			}
			if _, ok := r.Mapping.(plan.Recaller); ok {
				return places + " was edited, and the edit takes precedence; details that only the text can represent stay in it"
			}
			return places + " was edited, and the edit takes precedence"
		}
	case (n.Kind == plan.Container || n.Kind == plan.Parted) && e.Guard != nil:
		return "a field that it depends on was edited, and the edit takes precedence"
	}
	return "the field has another value now, or the object or element that contained it was removed"
}
