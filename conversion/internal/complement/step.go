package complement

import (
	"bytes"
	"context"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// Step is a conversion between two versions.
type Step struct {
	Way way.Way
	// From is the side of the source.
	From plan.Side
	// Plan says what the two versions have in common.
	Plan *plan.Plan
	// Before is the step that has made the source, and Stored the object that it made it of; nil
	// if the source itself is what is stored. What another table has kept must leave that as it is.
	Before *Step
	Stored []byte
}

// mark is that of the rows and schemas by which entries are written, and names the hub: another one may
// be like it, but what the former has kept is no longer at hand then.
func (s Step) mark() string { return s.Plan.Mark + "." + s.Plan.Versions[plan.Hub] }

// Result is what a step has made.
type Result struct {
	Text []byte
	// Kept counts the entries that keep what only the source has, and LeftOut those for which there
	// was no room.
	Kept, LeftOut int
	// Ignored counts the stashes of the source that are none that can be read.
	Ignored int
	// Unplaced counts the entries of other tables that could not be placed.
	Unplaced int
}

// Convert converts an object. Errors are those of the Way, or a *caller.GoneError.
func (s Step) Convert(ctx context.Context, source []byte) (result Result, err error) {
	defer caller.Catch(&err)
	there, err := s.Way.Make(ctx, source, s.From)
	if err != nil {
		return result, err
	}
	if there.Exact && len(there.Stashes) == 0 && len(there.Own) == 0 && there.Ignored == 0 && len(there.Mark) == 0 {
		return Result{Text: there.Text}, nil
	}
	run := run{step: s, ctx: ctx, caller: caller.Of(ctx), there: there}
	return run.convert(source)
}

// run is one conversion that is not exact.
type run struct {
	step                Step
	ctx                 context.Context
	caller              caller.Caller
	there               way.Made
	source, view, again tree
	// unplaced are entries of other tables for which there is no place.
	unplaced []stash.Entry
	result   Result
}

func (r *run) convert(source []byte) (Result, error) {
	from, to := r.step.From, r.step.From.Other()
	root := r.step.Plan.Root
	for _, t := range []*tree{&r.source, &r.view, &r.again} {
		t.caller = &r.caller
	}
	r.source.parse(source, root.Nodes[from][0].Schema)
	r.view.parse(r.there.Text, root.Nodes[to][0].Schema)
	r.restore(source)
	var pieces []piece
	text := r.view.write(nil, 0, &pieces)
	again, err := r.step.Way.Make(r.ctx, text, to)
	if err != nil {
		return r.result, err
	}
	var own []stash.Entry
	if !bytes.Equal(again.Text, source) {
		own = r.differences(&r.view, pieces, again)
	}
	r.annotate(own)
	r.result.Text = r.view.write(nil, 0, nil)
	return r.result, nil
}

// restorerOf returns what puts entries into a view, which is what the conversion has made.
func (r *run) restorerOf(view *tree) *restorer {
	return &restorer{
		t: view, side: r.step.From.Other(), root: r.step.Plan.Root, made: r.there.Elements, reads: reader{view: &r.source, made: view, side: r.step.From},
		lists: map[int32]*index{}, tried: map[spotKey]bool{}, fills: map[spotKey]bool{},
	}
}

// differences returns what makes the source of that which converting a view back has made.
func (r *run) differences(view *tree, pieces []piece, again way.Made) []stash.Entry {
	r.again.parse(again.Text, r.step.Plan.Root.Nodes[r.step.From][0].Schema)
	d := difference{
		origins: origins{source: &r.source, view: view, back: &r.again, there: r.there.Elements, again: again.Elements, pieces: pieces},
		reads:   reader{view: view, made: &r.again, side: r.step.From.Other()},
		root:    r.step.Plan.Root,
	}
	return d.find()
}

// restore puts back what the source's stashes keep for the other version.
func (r *run) restore(source []byte) {
	r.result.Ignored = r.there.Ignored
	entries := r.read(r.there.Stashes, &r.result.Ignored)
	if len(entries) == 0 {
		return
	}
	fates := r.restorerOf(&r.view).restore(entries, nil)
	var sure, doubtful []kept
	for i, e := range entries {
		switch {
		case fates[i] == Placed:
			sure = append(sure, e)
		case e.earlier:
			doubtful = append(doubtful, e)
		}
	}
	if len(doubtful) == 0 {
		return
	}
	valid := r.prove(sure, doubtful, source)
	isPlaced := map[int]bool{}
	if len(valid) > 0 {
		r.view.parse(slices.Clone(r.there.Text), r.step.Plan.Root.Nodes[r.step.From.Other()][0].Schema)
		fates := r.restorerOf(&r.view).restore(sure, valid)
		for i, e := range valid {
			isPlaced[e.number] = fates[len(sure)+i] == Placed
		}
	}
	for _, e := range doubtful {
		if !isPlaced[e.number] {
			r.unplaced = append(r.unplaced, e.Entry)
		}
	}
	r.result.Unplaced = len(r.unplaced)
}

// read returns the entries of stashes. It counts those stashes that are none.
func (r *run) read(stashes []way.Stash, ignored *int) (entries []kept) {
	for _, s := range stashes {
		read, table, err := stash.Read(nil, s.Text)
		if err != nil {
			*ignored++
			continue
		}
		for _, e := range stash.Filed(string(s.Name), read) {
			if e.Table == nil && table != "" {
				e.Table = []byte(table)
			}
			entries = append(entries, kept{Entry: e, earlier: e.Table != nil && string(e.Table) != r.step.mark(), number: len(entries)})
		}
	}
	return entries
}
