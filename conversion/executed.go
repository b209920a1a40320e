package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// WithExecutedComplement has values that the other version can't represent found by converting
// back. It is an experiment, for tests of it alone: what one way keeps, the other can't read.
func WithExecutedComplement() Option { return func(c *compiler) { c.executed = true } }

// Executed reports whether that is set.
func (c *Converter) Executed() bool { return c.executed }

// executing is convert with the executed complement.
func (c *Converter) executing(ctx context.Context, dst, object []byte, from, to string, notes *Notes) ([]byte, error) {
	switch {
	case from == to:
		return c.unchanged(dst, object)
	case from == c.hub:
		return c.step(ctx, dst, object, to, plan.Hub, complement.Leg{}, notes)
	case to == c.hub:
		return c.step(ctx, dst, object, from, plan.Spoke, complement.Leg{}, notes)
	}
	buf := intermediate.Get().(*[]byte)
	defer intermediate.Put(buf)
	var err error
	if *buf, err = c.step(ctx, (*buf)[:0], object, from, plan.Spoke, complement.Leg{}, notes); err != nil {
		return dst, err
	}
	return c.step(ctx, dst, *buf, to, plan.Hub, complement.Leg{Step: &c.steps[from][plan.Spoke], Source: object}, notes)
}

// step converts between the hub and another version. before is the step that has made the object.
func (c *Converter) step(ctx context.Context, dst, object []byte, version string, from plan.Side, before complement.Leg, notes *Notes) ([]byte, error) {
	out, result, err := c.steps[version][from].Convert(ctx, dst, object, before)
	if notes != nil && err == nil {
		notes.Residuals += result.Kept
		notes.IgnoredStashes += result.Ignored
		notes.LeftOut += result.LeftOut
		notes.Unplaced += result.Unplaced
	}
	return out, err
}

// Explain implements way.Explaining.
func (w *tableWay) Explain(ctx context.Context, made *way.Made, object []byte, from plan.Side, told *explain.Explanation) ([]way.Unmapped, error) {
	return engine.ExplainPure(made, object, w.c.job(ctx, w.plan.Versions[from], w.plan.Versions[from.Other()]), told)
}

// stepsOf returns the steps from either side of a plan.
func (c *Converter) stepsOf(p *plan.Plan) *[2]complement.Step {
	way := &tableWay{c, p}
	return &[2]complement.Step{plan.Spoke: {Way: way, From: plan.Spoke, Plan: p}, plan.Hub: {Way: way, From: plan.Hub, Plan: p}}
}

// tableWay converts by a plan alone.
type tableWay struct {
	c    *Converter
	plan *plan.Plan
}

// Make implements way.Way.
func (w *tableWay) Make(ctx context.Context, made *way.Made, object []byte, from plan.Side, asksExact bool) error {
	return engine.Pure(made, object, w.c.job(ctx, w.plan.Versions[from], w.plan.Versions[from.Other()]), asksExact)
}
