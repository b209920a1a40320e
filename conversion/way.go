package conversion

import (
	"context"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

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
