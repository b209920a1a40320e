package complement

import (
	"context"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// The memory of conversions is reused, as far as it is small.

// begin returns the run that goes on from what the Way makes of the source.
func (s *Step) begin(ctx context.Context, there *way.Made, before Leg) *run {
	r := runs.Get().(*run)
	r.step, r.before, r.ctx, r.caller, r.there = s, before, ctx, caller.Of(ctx), there
	return r
}

// views and runs are pools. Most conversions are exact, and need a view alone.
var (
	views = sync.Pool{New: func() any { return new(way.Made) }}
	runs  = sync.Pool{New: func() any { return new(run) }}
)

// maxBytes and maxItems are how much of each kind of memory a run may keep for the next one: to empty it
// costs its size, again and again.
const (
	maxBytes = 64 << 10
	maxItems = 1 << 10
)

// release gives the run back, without anybody's data.
func (r *run) release() {
	if r.isLarge() {
		return // it is left to the collector
	}
	r.back.Reset()
	for _, t := range r.trees() {
		t.release()
	}
	r.own.reset()
	r.reader.Reset()
	clear(r.stashed[:cap(r.stashed)])
	clear(r.entries)
	*r = run{
		back: r.back, source: r.source, view: r.view, again: r.again, bare: r.bare[:0], text: r.text[:0], pieces: r.pieces[:0],
		own: r.own, reader: r.reader, stashed: r.stashed, entries: r.entries[:0],
	}
	runs.Put(r)
}

// releaseView gives a view back, without anybody's data.
func releaseView(m *way.Made) {
	if size, items := sizeOf(m); size <= maxBytes && items <= maxItems {
		m.Reset()
		views.Put(m)
	}
}

// sizeOf returns how much memory a view has taken.
func sizeOf(m *way.Made) (size, items int) { return cap(m.Text) + cap(m.Memory), cap(m.Elements) }

// isLarge reports whether the run has taken much memory.
func (r *run) isLarge() bool {
	size, items := sizeOf(&r.back)
	size += cap(r.text) + cap(r.bare) + r.own.size()
	items = max(items, cap(r.pieces), cap(r.stashed), cap(r.entries), r.reader.Items())
	for _, t := range r.trees() {
		size, items = size+cap(t.texts), max(items, cap(t.nodes), cap(t.members))
	}
	return size > maxBytes || items > maxItems
}

func (r *run) trees() [3]*tree { return [...]*tree{&r.source, &r.view, &r.again} }
