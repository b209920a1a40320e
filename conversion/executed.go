package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// WithExecutedComplement has values that the other version can't represent found by converting
// back. It is an experiment, for tests of it alone: what one way keeps, the other can't read.
func WithExecutedComplement() Option { return func(c *compiler) { c.executed = true } }

// executing is convert with the executed complement.
func (c *Converter) executing(ctx context.Context, dst, object []byte, from, to string, notes *Notes) ([]byte, error) {
	if from == to {
		return c.unchanged(dst, object)
	}
	var before *complement.Step
	var stored []byte
	for _, next := range [...]string{c.hub, to} {
		if next == from {
			continue
		}
		job := c.job(ctx, from, next)
		step := complement.Step{Way: tableWay{c, job.Plan}, From: job.From, Plan: job.Plan, Before: before, Stored: stored}
		result, err := step.Convert(ctx, object)
		if err != nil {
			return dst, err
		}
		if notes != nil {
			notes.Residuals += result.Kept
			notes.IgnoredStashes += result.Ignored
			notes.LeftOut += result.LeftOut
			notes.Unplaced += result.Unplaced
		}
		before, stored = &step, object
		object, from = result.Text, next
	}
	return append(dst, object...), nil
}

// tableWay converts by a plan alone.
type tableWay struct {
	c    *Converter
	plan *plan.Plan
}

// Make implements way.Way.
func (w tableWay) Make(ctx context.Context, object []byte, from plan.Side) (way.Made, error) {
	made, _, err := engine.Pure(nil, object, w.c.job(ctx, w.plan.Versions[from], w.plan.Versions[from.Other()]))
	return made, err
}
