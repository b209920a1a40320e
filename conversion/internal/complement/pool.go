package complement

import (
	"context"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// The memory of conversions is used again, unless it is large.

// begin returns a run for a conversion whose result the Way has made.
func (s *Step) begin(ctx context.Context, there *way.Made, before Leg) *run {
	r := runs.Get().(*run)
	r.step, r.before, r.ctx, r.caller, r.there = s, before, ctx, caller.Of(ctx), there
	return r
}

// views and runs are pools. Most conversions are exact, and need only a view.
var (
	views = sync.Pool{New: func() any { return new(way.Made) }}
	runs  = sync.Pool{New: func() any { return new(run) }}
)

// maxBytes and maxItems are how much memory of each kind a run may keep for the next one: emptying
// it takes time in proportion to its size.
const (
	maxBytes = 64 << 10
	maxItems = 1 << 10
)

// release returns the run to the pool, without data of objects.
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
		own: r.own, reader: r.reader, stashed: r.stashed, entries: r.entries[:0], known: r.known[:0],
	}
	runs.Put(r)
}

// releaseView returns a view to the pool, without data of objects.
func releaseView(m *way.Made) {
	if size, items := sizeOf(m); size <= maxBytes && items <= maxItems {
		m.Reset()
		views.Put(m)
	}
}

// sizeOf returns how much memory a view takes.
func sizeOf(m *way.Made) (size, items int) { return cap(m.Text) + cap(m.Memory), cap(m.Elements) }

// isLarge reports whether the run takes much memory.
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
