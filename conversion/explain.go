package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
)

// Explanation says where everything in the result of a conversion comes from, and
// what became of the rest.
type Explanation struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	From      string `json:"from"`
	To        string `json:"to"`
	// Steps is one step, or two where the way is through the hub.
	Steps []Step `json:"steps"`
	// Object is the result, as Convert gives it.
	Object []byte `json:"-"`
}

// Step is the part of a conversion between a spoke and the hub.
type Step struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Rows are those of this version, and Code is there where Go code converts instead.
	Rows string `json:"rows,omitempty"`
	Code *Code  `json:"code,omitempty"`
	engine.Explanation
}

// Code says how Go code has converted; see package typed.
type Code struct {
	// Error is why it could not, and BackError why it could not on the way back, which
	// tells what is to be kept.
	Error     string `json:"error,omitempty"`
	BackError string `json:"backError,omitempty"`
}

// What explanations are made of.
type (
	// Origin is a place of the result and what has written it.
	Origin = engine.Origin
	// By says what has written a place.
	By = engine.By
	// Kept is a place of the source that the target does not show as it is.
	Kept = engine.Kept
	// Why says why something is kept.
	Why = engine.Why
	// Uncomputed is a place of the result that a row could not compute.
	Uncomputed = engine.Uncomputed
	// Dropped is a place of the source that the table loses on purpose.
	Dropped = engine.Dropped
	// Unused is an entry of the target's stash that was not used.
	Unused = engine.Unused
)

// What can write a place, and why something can be kept; see engine for each.
const (
	BySame     = engine.BySame
	ByRow      = engine.ByRow
	ByAbsence  = engine.ByAbsence
	ByDefault  = engine.ByDefault
	ByConstant = engine.ByConstant
	ByStash    = engine.ByStash
	ByCode     = engine.ByCode

	WhyPrivate  = engine.WhyPrivate
	WhyUnmapped = engine.WhyUnmapped
	WhyInexact  = engine.WhyInexact
	WhyAbsent   = engine.WhyAbsent
	WhyOrder    = engine.WhyOrder
	WhyShape    = engine.WhyShape
)

// Explain converts an object as Convert does, and explains the result. It fails where
// there are more than 8 MiB to be told, and within 100 ms once ctx is done. Errors are of
// type *Error.
func (c *Converter) Explain(ctx context.Context, text []byte, to string) (*Explanation, error) {
	from, err := c.source(text, to, c.maxSize)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Kind: c.kind, From: from, To: to, Steps: []Step{}, Object: text}
	e.Namespace, e.Name = object.Name(text)
	way := []string{from, to}
	switch {
	case from == to:
		way = nil
		e.Object, err = c.unchanged(nil, text)
	case from != c.hub && to != c.hub:
		way = []string{from, c.hub, to}
	}
	if way != nil {
		e.Object, err = c.asConverted(ctx, text, from, to)
	}
	for i := 1; i < len(way) && err == nil; i++ {
		step := Step{From: way[i-1], To: way[i], Rows: way[i-1]}
		if step.From == c.hub {
			step.Rows = step.To
		}
		var explained *engine.Explanation
		if e.Object, explained, err = engine.Explain(e.Object, c.job(ctx, step.From, step.To)); err == nil {
			step.Explanation = *explained
			e.Steps = append(e.Steps, step)
		}
	}
	if err != nil {
		return nil, c.fail(text, from, to, err)
	}
	return e, nil
}

// asConverted is an object as Convert converts it: renewed where stashes of it were written
// by another table.
func (c *Converter) asConverted(ctx context.Context, text []byte, from, to string) (_ []byte, err error) {
	defer caller.Catch(&err)
	if _, counts, err := c.way(ctx, nil, text, from, to); err != nil || !counts.Earlier {
		return text, err
	}
	return c.renewing(ctx, to).renewed(text, from), nil
}
