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
}

// Leg is a step and what it has converted.
type Leg struct {
	Step   *Step
	Source []byte
}

// mark is that of the rows and schemas by which entries are written, and names the hub: another one may
// be like it, but what the former has kept is no longer at hand then.
func (s *Step) mark() string { return s.Plan.Mark + "." + s.Plan.Versions[plan.Hub] }

// Result is what a step has noted.
type Result struct {
	// Kept counts the entries that keep what only the source has, and LeftOut those for which there
	// was no room.
	Kept, LeftOut int
	// Ignored counts the stashes of the source that are none that can be read.
	Ignored int
	// Unplaced counts the entries of other tables that could not be placed.
	Unplaced int
}

// Convert appends the converted object to dst. before is what has made the source, if the source is
// not itself what is stored: what another table has kept must leave that as it is. Errors are those of
// the Way, or a *caller.GoneError.
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

// isExact converts there, and reports whether that is all: nothing has to be kept, or put back.
func (s *Step) isExact(ctx context.Context, there *way.Made, source []byte) (bool, error) {
	err := s.Way.Make(ctx, there, source, s.From, true)
	return there.Exact && len(there.Stashes)+len(there.Own)+len(there.Mark)+there.Ignored == 0, err
}

// complete reads the source, and returns it as the API server hands it over: with its defaults. Others may
// leave them out. It reports whether there are any.
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
	var pieces []piece // what is implied is written, too
	text = r.source.write(nil, 0, &pieces)
	r.source.parse(text, of)
	return text, true
}

// run is a conversion that is not exact. Its memory is reused: pool.go.
type run struct {
	step                *Step
	before              Leg
	ctx                 context.Context
	caller              caller.Caller
	there               *way.Made
	back                way.Made
	source, view, again tree
	// reader reads stashes, one at a time into the memory of stashed.
	reader  stash.Reader
	stashed []stash.Entry
	// entries are those of the target's version, those of this table first.
	entries []kept
	// bare is what is made of the source without the defaults that it lacks, empty if it lacks none.
	bare []byte
	// text is the view as it is converted back, and pieces say where it comes from.
	text   []byte
	pieces []piece
	// own are the entries of the source's version.
	own bundle
	// sourceMark is the mark of entries that code has made beside the source, empty unless one was looked at.
	sourceMark string
	// unplaced are entries of other tables for which there is no place.
	unplaced []stash.Entry
	result   Result
	// explainer is nil unless someone asks for an explanation.
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
	r.explainer.parsed()
	r.restore(source)
	r.explainer.restored()
	room := roomFor(len(r.there.Text))
	r.view.complete(0, &room) // as the API server hands it back
	r.text = r.view.write(r.text, 0, &r.pieces)
	if err := r.step.Way.Make(r.ctx, &r.back, r.text, to, false); err != nil {
		return dst, err
	}
	if !bytes.Equal(r.back.Text, source) {
		r.again.parse(r.back.Text, root.Nodes[from][0].Schema)
		d := r.differenceOf(&r.view, r.pieces, r.back.Elements, r.own.add)
		d.explains = r.explainer.differences(&d)
		d.find()
	}
	r.annotate()
	return r.view.write(dst, 0, nil), nil
}

// restorerOf returns what puts entries into a view, which is what the conversion has made.
func (r *run) restorerOf(view *tree) *restorer {
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

// restore puts back what the source's stashes keep for the other version.
func (r *run) restore(source []byte) {
	r.result.Ignored = r.there.Ignored
	r.entries = r.read(r.entries, r.there.Stashes, &r.result.Ignored)
	defer func() { r.result.Unplaced = len(r.unplaced) }()
	entries := r.refuse()
	if len(entries) == 0 {
		return
	}
	restore := func(sure, valid []kept) []Fate {
		to := r.restorerOf(&r.view)
		to.explains = r.explainer.fates(to)
		return to.restore(sure, valid)
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
	for i, e := range valid {
		isPlaced[e.number] = fates[len(sure)+i].isPlaced()
	}
	for _, e := range doubtful {
		switch {
		case isPlaced[e.number]:
		case e.earlier:
			r.leave(e)
		default:
			r.explainer.contradicted(&e)
		}
	}
}

// isDoubtful reports whether a proof has to judge an entry that was found this fate.
func (r *run) isDoubtful(e *kept, fate Fate) bool {
	if r.step.isCode() && fate.isPlaced() {
		return !e.beside
	}
	return e.earlier && !fate.isPlaced()
}

// refuse returns the entries but those that were left unplaced on the way from another version: the values
// of that version speak against them, and may be out of sight here.
func (r *run) refuse() []kept {
	stored := r.stored()
	return slices.DeleteFunc(r.entries, func(e kept) bool {
		isRefused := e.earlier && e.Unplaced != nil && string(e.Unplaced) != stored
		if isRefused {
			r.leave(e)
		}
		return isRefused
	})
}

// leave leaves an entry unplaced.
func (r *run) leave(e kept) {
	if e.Unplaced == nil {
		e.Unplaced = []byte(r.stored())
	}
	r.unplaced = append(r.unplaced, e.Entry)
	r.explainer.unplaced(&e)
}

// stored returns the version of the object that the conversion began with.
func (r *run) stored() string {
	of := r.step
	if r.before.Step != nil {
		of = r.before.Step
	}
	return of.Plan.Versions[of.From]
}

// read appends the entries of stashes, those of this table first. It counts those stashes that are none.
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
