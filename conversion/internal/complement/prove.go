package complement

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// Entries of another table are doubtful: their guards are over what that table made, and its places
// may be others now. An entry with a valid guard is valid. The others are tried: all at once, and
// then by halves. Those are valid with which converting back does not change the source more than
// without them. All others stay where they are, unplaced.

const (
	// maxTrials is how many times a step converts back to find which entries are valid.
	maxTrials = 32
	// leastBytes is how many bytes may always be converted for that, and timesBytes how many times
	// the size of the source.
	leastBytes = 256 << 10
	timesBytes = 4
)

// roomFor returns how many bytes may be converted for the trials of an object of a size.
func roomFor(size int) int { return max(leastBytes, timesBytes*size) }

// proof finds which doubtful entries are valid.
type proof struct {
	run *run
	// sure are the entries that are valid anyway.
	sure []kept
	// wrong are the places at which the source changes without the doubtful entries.
	wrong  places
	trials int
	bytes  int
}

// prove returns which of the doubtful entries are valid.
func (r *run) prove(sure, doubtful []kept, source []byte) (valid []kept) {
	p := proof{run: r, sure: sure, bytes: roomFor(len(source))}
	var ok bool
	if p.wrong, ok = p.try(nil); !ok {
		return nil
	}
	return p.choose(nil, doubtful)
}

// choose adds the entries in more that change nothing for the worse.
func (p *proof) choose(some, more []kept) []kept {
	if len(more) == 0 {
		return some
	}
	all := slices.Concat(some, more)
	if wrong, ok := p.try(all); ok && p.wrong.cover(wrong) {
		return all
	}
	if len(more) == 1 {
		return some
	}
	some = p.choose(some, more[:len(more)/2])
	return p.choose(some, more[len(more)/2:])
}

// try converts back with some of the doubtful entries, and returns the places at which the source
// changes. It returns false if there is no room for another trial.
func (p *proof) try(some []kept) (wrong places, ok bool) {
	r := p.run
	if p.trials++; p.trials > maxTrials {
		return nil, false
	}
	if p.bytes -= len(r.there.Text); p.bytes < 0 {
		return nil, false
	}
	to := r.step.From.Other()
	var view tree
	view.caller = &r.caller
	view.parse(r.there.Text, r.step.Plan.Root.Nodes[to][0].Schema)
	r.restorerOf(&view).restore(p.sure, some)
	room := roomFor(len(r.there.Text))
	view.complete(0, &room)
	var pieces []piece
	text := view.write(nil, 0, &pieces)
	if p.bytes -= len(text) - len(r.there.Text); p.bytes < 0 {
		return nil, false
	}
	var again way.Made
	err := r.step.Way.Make(r.ctx, &again, text, to, false)
	if err != nil {
		return nil, false
	}
	wrong = places{}
	note := func(e stash.Entry, _ []byte) { wrong[placeText(e.At)] = slices.Clone(e.At) }
	if r.before.Step != nil && !r.step.isCode() {
		return wrong, r.changes(again.Text, note) == nil
	}
	r.again.parse(again.Text, r.step.Plan.Root.Nodes[r.step.From][0].Schema)
	d := r.differenceOf(&view, pieces, again.Elements, note)
	d.takesMore = !r.step.isCode()
	d.find()
	return wrong, true
}

// changes finds how the stored object differs from what is made of an object of the version
// between.
func (r *run) changes(between []byte, note func(stash.Entry, []byte)) error {
	before := r.before.Step
	var again way.Made
	if err := before.Way.Make(r.ctx, &again, between, before.From.Other(), false); err != nil {
		return err
	}
	var stored, view, back tree
	for _, t := range []*tree{&stored, &view, &back} {
		t.caller = &r.caller
	}
	of := before.Plan.Root.Nodes[before.From][0].Schema
	stored.parse(r.before.Source, of)
	view.parse(between, before.Plan.Root.Nodes[before.From.Other()][0].Schema)
	back.parse(again.Text, of)
	d := difference{
		origins: origins{source: &stored, view: &view, back: &back},
		reads:   reader{view: &view, made: &back, root: before.Plan.Root, side: before.From.Other()},
		root:    before.Plan.Root, add: note, takesMore: true,
	}
	d.find()
	return nil
}

// places has places by the texts of their addresses.
type places map[string][]stash.Step

// cover reports whether each of some places is one of these, or inside one.
func (p places) cover(some places) bool {
	for _, at := range some {
		if !p.covers(at) {
			return false
		}
	}
	return true
}

// covers reports whether a place is one of these, or inside one.
func (p places) covers(at []stash.Step) bool {
	var text []byte
	for i := range at {
		text = appendPlace(text, at[i:i+1])
		if _, found := p[string(text)]; found {
			return true
		}
	}
	_, found := p[""]
	return found
}
