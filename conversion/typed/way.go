package typed

import (
	"context"
	"errors"
	"log/slog"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/explain"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// codeWay converts between a version and the hub by the code alone. It is made for one conversion.
type codeWay struct {
	c    *Converter
	plan *plan.Plan
	// failed has the errors of the code for the last object of each side. Those before were trials.
	failed [2]error
}

// step returns the step between the hub and another version, and its way.
func (c *Converter) step(from, to string) (*complement.Step, *codeWay) {
	side, version := plan.Spoke, from
	if from == c.hub {
		side, version = plan.Hub, to
	}
	w := &codeWay{c: c, plan: c.plans[version]}
	return &complement.Step{Way: w, From: side, Plan: w.plan}, w
}

// Make implements way.Way. If the code fails, nothing is made but metadata.
func (w *codeWay) Make(ctx context.Context, made *way.Made, object []byte, from plan.Side, _ bool) (err error) {
	defer caller.Catch(&err)
	_, _, _, err = w.make(ctx, made, object, from)
	return err
}

// make is Make, and returns the metadata of the object, and the views of it and of what is made of it.
func (w *codeWay) make(ctx context.Context, made *way.Made, object []byte, from plan.Side) (head *head, is, target map[string]any, err error) {
	made.Reset()
	document, _ := decode(object).(map[string]any)
	if head, err = readHead(document, made, w.plan.Versions, from); err != nil {
		return nil, nil, nil, err
	}
	is = viewOf(document)
	d := w.c.direction(ctx, head, w.plan.Versions[from], w.plan.Versions[from.Other()])
	target, w.failed[from] = d.take(is)
	out := body(target)
	out["apiVersion"], out["kind"] = w.c.groupVersion(d.to).String(), w.c.kind
	if metadata := head.metadata(target); metadata != nil {
		out["metadata"] = metadata
	}
	made.Text = appendJSON(made.Text, out)
	return head, is, target, nil
}

// Explain implements way.Explaining.
func (w *codeWay) Explain(ctx context.Context, made *way.Made, object []byte, from plan.Side, told *explain.Explanation) (_ []way.Unmapped, err error) {
	defer caller.Catch(&err)
	head, is, target, err := w.make(ctx, made, object, from)
	if err == nil {
		tell(told, head, is, target)
	}
	return nil, err
}

// log logs what the code does not convert, without values of the object, which an error of the code
// may contain.
func (w *codeWay) log() {
	for side, err := range w.failed {
		if err == nil {
			continue
		}
		reason := "the code returned an error"
		if _, panicked := errors.AsType[*panicError](err); panicked {
			reason = "the code panicked"
		}
		from := plan.Side(side)
		w.c.logger.Error("an object is kept whole in its stash, because it cannot be converted", slog.String("crd", w.c.name),
			slog.String("from", w.plan.Versions[from]), slog.String("to", w.plan.Versions[from.Other()]), slog.String("reason", reason))
	}
}

// direction is what the code does with objects of one version.
type direction struct {
	caller   caller.Caller
	c        *Converter
	code     *code
	toHub    bool
	from, to string
	head     *head
}

func (c *Converter) direction(ctx context.Context, head *head, from, to string) direction {
	d := direction{caller: caller.Of(ctx), c: c, code: c.codes[from], toHub: true, from: from, to: to, head: head}
	if d.code == nil {
		d.code, d.toHub = c.codes[to], false
	}
	return d
}

func (d direction) back() direction {
	d.toHub, d.from, d.to = !d.toHub, d.to, d.from
	return d
}

// take converts a view. If the code fails, nothing is left of it but labels and annotations.
func (d direction) take(view map[string]any) (map[string]any, error) {
	made, err := d.run(view)
	if err != nil {
		return viewOf(map[string]any{"metadata": view["metadata"]}), err
	}
	follow(view, made, func() map[string]any {
		again, err := d.back().run(made)
		if err != nil {
			return viewOf(nil)
		}
		return again
	})
	return made, nil
}

// run converts a view by the code, which is never interrupted.
func (d direction) run(view map[string]any) (map[string]any, error) {
	d.caller.Look()
	made, err := d.code.run(d.head.with(view, d.c.groupVersion(d.from).String(), d.c.kind), d.toHub)
	if err != nil {
		return nil, err
	}
	return viewOf(made), nil
}
