package webhook

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Tables holds the loaded converters. A request uses one snapshot of them from beginning to
// end. Tables is safe for concurrent use.
type Tables struct {
	metrics *Metrics
	mu      sync.Mutex // serialises Replace
	current atomic.Pointer[snapshot]
}

// snapshot maps groups and kinds to tables. It is immutable.
type snapshot map[string]map[string]*kindTables

// kindTables are the tables of one kind.
type kindTables struct {
	current *table // nil if only older tables are left
	older   []*table
}

// table is a converter and its counters.
type table struct {
	Converter
	fingerprint string
	// compiled is the fingerprint that this process gives the table.
	compiled string
	counters *tableCounters
	// unplaced is when a conversion last left a value unplaced, in Unix seconds, or 0.
	unplaced *atomic.Int64
}

// wanted is the table that a path asks for.
type wanted struct {
	// fingerprint is empty if any table will do.
	fingerprint string
	// compiled is the fingerprint that this process must give the table. It is empty if any
	// will do.
	compiled string
}

// NewTables returns Tables without any table. They report to metrics, if that is not nil.
func NewTables(metrics *Metrics) *Tables {
	if metrics == nil {
		metrics = NewMetrics(nil)
	}
	return &Tables{metrics: metrics}
}

// Replace makes these the converters that answer, and removes all others. A converter in older
// is used only if the path has its fingerprint: a CRD may be armed with an older table until
// the API server has received the next one. If a kind has no current table, the first of its
// older ones is used for writes. Replace fails and changes nothing if two tables in current are
// for the same kind.
func (t *Tables) Replace(current []Converter, older ...Converter) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, next := t.snapshot(), make(snapshot)
	for _, c := range current {
		kind := next.kind(c)
		if other := kind.current; other != nil {
			return fmt.Errorf("two tables for kind %s of group %s: %s and %s; keep one",
				c.Kind(), c.Group(), other.Name(), c.Name())
		}
		kind.current = t.table(c, last)
	}
	for _, c := range older {
		kind := next.kind(c)
		kind.older = append(kind.older, t.table(c, last))
	}
	t.current.Store(&next)
	t.metrics.forget(last, next)
	return nil
}

// table returns the table of a converter. What is known of it is taken over from last.
func (t *Tables) table(c Converter, last snapshot) *table {
	compiled := c.Fingerprint()
	if kept, ok := c.(Kept); ok {
		compiled = kept.Compiled()
	}
	unplaced := new(atomic.Int64)
	if kind := last[c.Group()][c.Kind()]; kind != nil {
		if before := kind.with(c.Fingerprint()); before != nil {
			unplaced = before.unplaced
		}
	}
	return &table{c, c.Fingerprint(), compiled, t.metrics.forTable(c.Name(), c.Versions()), unplaced}
}

// Check is the readiness check named "tables": it fails until Replace has been called once.
func (t *Tables) Check() error {
	if t.current.Load() == nil {
		return fmt.Errorf("no tables are loaded yet")
	}
	return nil
}

// Converter returns the converter that is used for writes of a kind, or nil if there is none.
func (t *Tables) Converter(group, kind string) Converter {
	tables := t.snapshot()[group][kind]
	if tables == nil {
		return nil
	}
	return tables.all()[0].Converter
}

// snapshot returns what is loaded now, or nil.
func (t *Tables) snapshot() snapshot {
	if s := t.current.Load(); s != nil {
		return *s
	}
	return nil
}

// kind returns the tables of c's kind, so that c can be added.
func (s snapshot) kind(c Converter) *kindTables {
	kinds := s[c.Group()]
	if kinds == nil {
		kinds = make(map[string]*kindTables)
		s[c.Group()] = kinds
	}
	if kinds[c.Kind()] == nil {
		kinds[c.Kind()] = new(kindTables)
	}
	return kinds[c.Kind()]
}

// find returns the tables of a kind, or nil.
func (s snapshot) find(group, kind []byte) *kindTables {
	return s[string(group)][string(kind)] // neither conversion allocates
}

// all returns the tables of the kind, the current one first.
func (k *kindTables) all() []*table {
	if k.current == nil {
		return k.older
	}
	return append([]*table{k.current}, k.older...)
}

// with returns the table with a fingerprint, or nil. An empty fingerprint selects the current
// table.
func (k *kindTables) with(fingerprint string) *table {
	if k.current != nil && (fingerprint == "" || fingerprint == k.current.fingerprint) {
		return k.current
	}
	for _, t := range k.older {
		if t.fingerprint == fingerprint {
			return t
		}
	}
	return nil
}

// names returns the names of the snapshot's CRDs.
func (s snapshot) names() map[string]bool {
	names := make(map[string]bool)
	for _, kinds := range s {
		for _, kind := range kinds {
			for _, t := range kind.all() {
				names[t.Name()] = true
			}
		}
	}
	return names
}
