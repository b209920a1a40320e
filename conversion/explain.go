package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
)

// Explanation is the source of each value in the result of a conversion, and what happened to
// the other values of the original object.
type Explanation struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	From      string `json:"from"`
	To        string `json:"to"`
	// Steps has one step, or two if the conversion passes through the hub.
	Steps []Step `json:"steps"`
	// Object is the result, as Convert returns it.
	Object []byte `json:"-"`
}

// Step is the part of a conversion between a spoke and the hub.
type Step struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Rows is the version whose rows apply. Code is set if Go code converts instead.
	Rows string `json:"rows,omitempty"`
	Code *Code  `json:"code,omitempty"`
	explain.Explanation
}

// Code is the result of Go code; see package typed.
type Code struct {
	// Error is the error of the conversion, and BackError the error of the conversion back,
	// which determines the kept values.
	Error     string `json:"error,omitempty"`
	BackError string `json:"backError,omitempty"`
}

// The parts of an explanation.
type (
	// Origin is a field of the result, with its source.
	Origin = explain.Origin
	// By is the kind of source of a field.
	By = explain.By
	// Kept is a field of the original object that the result does not have unchanged.
	Kept = explain.Kept
	// Why is the reason why a value is kept.
	Why = explain.Why
	// Uncomputed is a field of the result that a row could not compute.
	Uncomputed = explain.Uncomputed
	// Dropped is a field of the original object that the table drops.
	Dropped = explain.Dropped
	// Unused is an entry of the target version's stash that was not used.
	Unused = explain.Unused
)

// The sources of a field, and the reasons for keeping a value.
const (
	BySame     = explain.BySame
	ByRow      = explain.ByRow
	ByAbsence  = explain.ByAbsence
	ByDefault  = explain.ByDefault
	ByConstant = explain.ByConstant
	ByStash    = explain.ByStash
	ByCode     = explain.ByCode

	WhyPrivate  = explain.WhyPrivate
	WhyUnmapped = explain.WhyUnmapped
	WhyInexact  = explain.WhyInexact
	WhyAbsent   = explain.WhyAbsent
	WhyOrder    = explain.WhyOrder
	WhyShape    = explain.WhyShape
)

// Explain converts an object as Convert does, and explains the result. It fails if the
// explanation exceeds 8 MiB, and within 100 ms once ctx is done. Errors are of type *Error.
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
	var before complement.Leg
	for i := 1; i < len(way) && err == nil; i++ {
		step := Step{From: way[i-1], To: way[i], Rows: way[i-1]}
		if step.From == c.hub {
			step.Rows = step.To
		}
		by, source := c.step(step.From, step.To), e.Object
		var explained *explain.Explanation
		if e.Object, explained, err = by.Explain(ctx, source, before); err == nil {
			step.Explanation = *explained
			e.Steps = append(e.Steps, step)
		}
		before = complement.Leg{Step: by, Source: source}
	}
	if err != nil {
		return nil, c.fail(text, from, to, err)
	}
	return e, nil
}
