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
	// Plan is the plan for the two versions.
	Plan *plan.Plan
}

// Leg is a step and the object that it has converted.
type Leg struct {
	Step   *Step
	Source []byte
}

// mark returns the mark for entries: that of the rows and schemas, and the name of the hub. Another
// hub may have the same rows and schemas, but the entries of the former hub must be proved then.
func (s *Step) mark() string { return s.Plan.Mark + "." + s.Plan.Versions[plan.Hub] }

// Result counts what a step has done.
type Result struct {
	// Kept is the number of entries for what only the source has, and LeftOut the number of those
	// for which there was no room.
	Kept, LeftOut int
	// Ignored is the number of stashes of the source that can't be read.
	Ignored int
	// Unplaced is the number of entries of other tables that could not be placed.
	Unplaced int
}

// Convert appends the converted object to dst. before is the step that made the source, if the
// stored object has another version: entries of another table must not change that object. Errors
// are those of the Way, or a *caller.GoneError.
func (s *Step) Convert(ctx context.Context, dst, source []byte, before Leg) (out []byte, result Result, err error) {
	there := views.Get().(*way.Made)
	defer releaseView(there)
	isDone, err := s.isExact(ctx, there, source)
	if err != nil {
		return dst, result, err
	}
	if isDone {
		return append(dst, there.Text...), result, nil
	}
	r := s.begin(ctx, there, before)
	defer r.release()
	defer caller.Catch(&err)
	if text, isMore := r.complete(source); isMore {
		source = text
		r.bare = append(r.bare, there.Text...)
		there.Reset()
		if err = s.Way.Make(ctx, there, source, s.From, false); err != nil {
			return dst, result, err
		}
	}
	out, err = r.convert(dst, source)
	return out, r.result, err
}

// isExact converts the source, and reports whether that is all: there is nothing to keep or to
// restore.
func (s *Step) isExact(ctx context.Context, there *way.Made, source []byte) (bool, error) {
	err := s.Way.Make(ctx, there, source, s.From, true)
	return there.Exact && len(there.Stashes)+len(there.Own)+len(there.Mark)+there.Ignored == 0, err
}

// mayLoseAll reports whether some version may drop all that an object of the source has. Then there may
// be something to keep even if converting back gives the source.
func (s *Step) mayLoseAll() bool {
	return s.Plan.Root.Nodes[s.From][0].Schema.DefaultFadesInside
}

// complete parses the source, and returns it with its defaults, as the API server would send it. It
// reports whether any were added. Other callers may leave them out.
func (r *run) complete(source []byte) (text []byte, isMore bool) {
	of := r.step.Plan.Root.Nodes[r.step.From][0].Schema
	r.source.caller = &r.caller
	r.source.parse(source, of)
	room := roomFor(len(source))
	if !r.source.complete(0, &room) {
		return source, false
	}
	if room < 0 { // it is converted as it is
		r.source.parse(source, of)
		return source, false
	}
	var pieces []piece // implied values are written, too
	text = r.source.write(nil, 0, &pieces)
	r.source.parse(text, of)
	return text, true
}

// run is a conversion that is not exact. Its memory is used again: see pool.go.
type run struct {
	step                *Step
	before              Leg
	ctx                 context.Context
	caller              caller.Caller
	there               *way.Made
	back                way.Made
	source, view, again tree
	// reader reads stashes, one at a time, into the memory of stashed.
	reader  stash.Reader
	stashed []stash.Entry
	// entries are those of the target's version, those of this table first.
	entries []kept
	// bare is what is made of the source without the defaults that it lacks. It is empty if it
	// lacks none.
	bare []byte
	// text is the view as it is converted back. pieces map it to the view.
	text   []byte
	pieces []piece
	// own are the entries of the source's version.
	own bundle
	// sourceMark is the mark of entries that code has written beside the source, or "" if it was
	// not needed.
	sourceMark string
	// known are the elements of the view that some entry is known to be about.
	known []int32
	// unplaced are the entries of other tables for which there is no place.
	unplaced []stash.Entry
	result   Result
	// explainer is nil unless an explanation is needed.
	explainer *explainer
}

func (r *run) convert(dst, source []byte) ([]byte, error) {
	from, to := r.step.From, r.step.From.Other()
	root := r.step.Plan.Root
	for _, t := range r.trees() {
		t.caller = &r.caller
	}
	r.view.parse(r.there.Text, root.Nodes[to][0].Schema)
	if len(r.bare) > 0 {
		var bare tree
		bare.caller = &r.caller
		bare.parse(r.bare, root.Nodes[to][0].Schema)
		r.view.imply(0, &bare, 0)
	}
	r.explainer.findWritten()
	r.restore(source)
	r.explainer.explainRestored()
	room := roomFor(len(r.there.Text))
	r.view.complete(0, &room) // as the API server returns it
	r.text = r.view.write(r.text, 0, &r.pieces)
	if err := r.step.Way.Make(r.ctx, &r.back, r.text, to, false); err != nil {
		return dst, err
	}
	if r.step.mayLoseAll() || !bytes.Equal(r.back.Text, source) {
		r.again.parse(r.back.Text, root.Nodes[from][0].Schema)
		d := r.differenceOf(&r.view, r.pieces, r.back.Elements, r.own.add)
		d.explains = r.explainer.differences(&d)
		d.find()
	}
	r.annotate()
	return r.view.write(dst, 0, nil), nil
}

// restorerOf returns the restorer for a view, which was just parsed.
func (r *run) restorerOf(view *tree) *restorer {
	for _, id := range r.known {
		view.nodes[id].known = true
	}
	return &restorer{
		t: view, side: r.step.From.Other(), root: r.step.Plan.Root, made: r.there.Elements, reads: reader{view: &r.source, made: view, root: r.step.Plan.Root, side: r.step.From, fades: r.step.Plan.HubDrops},
		lists: map[int32]*index{}, absent: map[missingKey]missing{},
	}
}

// differenceOf returns what finds how the source differs from what was made of a view.
func (r *run) differenceOf(view *tree, pieces []piece, elements []way.Element, add func(e stash.Entry, address []byte)) difference {
	return difference{
		origins: origins{source: &r.source, view: view, back: &r.again, there: r.there.Elements, again: elements, pieces: pieces},
		reads:   reader{view: view, made: &r.again, root: r.step.Plan.Root, side: r.step.From.Other(), fades: r.step.Plan.HubDrops},
		root:    r.step.Plan.Root, add: add,
	}
}

// restore restores what the source's stashes have for the other version.
func (r *run) restore(source []byte) {
	r.result.Ignored = r.there.Ignored
	r.entries = r.read(r.entries, r.there.Stashes, &r.result.Ignored)
	defer func() { r.result.Unplaced = len(r.unplaced) }()
	entries := r.withoutUnplaced()
	if len(entries) == 0 {
		return
	}
	restore := func(sure, valid []kept) []Fate {
		to := r.restorerOf(&r.view)
		to.explains = r.explainer.fates(to)
		to.known = r.known
		fates := to.restore(sure, valid)
		r.known = to.known
		return fates
	}
	fates := restore(entries, nil)
	isDoubtful := func(i int) bool { return r.isDoubtful(&entries[i], fates[i]) }
	none := true
	for i := range entries {
		none = none && !isDoubtful(i)
	}
	if none {
		return
	}
	var sure, doubtful []kept
	for i, e := range entries {
		switch {
		case isDoubtful(i):
			doubtful = append(doubtful, e)
		case fates[i].isPlaced():
			sure = append(sure, e)
		}
	}
	valid := r.prove(sure, doubtful, source)
	r.view.parse(r.there.Text, r.step.Plan.Root.Nodes[r.step.From.Other()][0].Schema)
	fates = restore(sure, valid)
	isPlaced := map[int]bool{}
	for i, e := range slices.Concat(sure, valid) {
		isPlaced[e.number] = fates[i].isPlaced()
	}
	for _, e := range slices.Concat(sure, doubtful) {
		switch {
		case isPlaced[e.number]:
		case e.earlier:
			r.leaveUnplaced(e)
		case r.step.isCode():
			r.explainer.explainContradicted(&e)
		}
	}
}

// isDoubtful reports whether an entry with this fate has to be proved.
func (r *run) isDoubtful(e *kept, fate Fate) bool {
	if r.step.isCode() && fate.isPlaced() {
		return !e.beside
	}
	return e.earlier && !fate.isPlaced()
}

// withoutUnplaced returns the entries without those that could not be placed on the way from another
// version. They contradict values of that version, which this version may lack.
func (r *run) withoutUnplaced() []kept {
	stored := r.storedVersion()
	return slices.DeleteFunc(r.entries, func(e kept) bool {
		isRefused := e.earlier && e.Unplaced != nil && string(e.Unplaced) != stored
		if isRefused {
			r.leaveUnplaced(e)
		}
		return isRefused
	})
}

// leaveUnplaced marks an entry as unplaced.
func (r *run) leaveUnplaced(e kept) {
	if e.Unplaced == nil {
		e.Unplaced = []byte(r.storedVersion())
	}
	r.unplaced = append(r.unplaced, e.Entry)
	r.explainer.explainUnplaced(&e)
}

// storedVersion returns the version of the stored object.
func (r *run) storedVersion() string {
	of := r.step
	if r.before.Step != nil {
		of = r.before.Step
	}
	return of.Plan.Versions[of.From]
}

// read appends the entries of stashes, those of this table first. It counts the stashes that can't
// be read.
func (r *run) read(entries []kept, stashes []way.Stash, ignored *int) []kept {
	for _, s := range stashes {
		read, table, err := r.reader.Read(r.stashed[:0], s.Text)
		r.stashed = read
		if err != nil {
			*ignored++
			continue
		}
		read = stash.Filed(string(s.Name), read)
		entries = slices.Grow(entries, len(read))
		by := []byte(table)
		for _, e := range read {
			if e.Table == nil && table != "" {
				e.Table = by
			}
			earlier, beside := r.by(e.Table)
			entries = append(entries, kept{Entry: e, earlier: earlier, beside: beside, number: len(entries)})
		}
	}
	slices.SortStableFunc(entries, func(a, b kept) int {
		switch {
		case a.earlier == b.earlier:
			return 0
		case b.earlier:
			return -1
		}
		return 1
	})
	return entries
}
